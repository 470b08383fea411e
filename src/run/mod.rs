//! The chat run: a pure state machine, which does no I/O and reads no clock.

pub mod router;
