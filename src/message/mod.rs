//! Messages, content blocks, results.
