//! Outcomes.
