//! Stack for walks over schemas. The validator recurses with the schema's nesting and with chains of references, and a
//! Java thread may have 200 KiB of stack; an overflow would kill the JVM.

/// Every Java thread has less than this left, so in practice the work always moves to a segment of its own.
const RED_ZONE: usize = 2 << 20;
/// Room for the deepest document that the reader lets through, and for the deepest answer against it.
const SEGMENT: usize = 16 << 20;
/// The validator needs up to 8 KiB for each link of a chain of references while it compiles (measured: 4 to 8).
const PER_SUBSCHEMA: usize = 12 << 10;

/// More subschemas than any provider takes; it bounds the stack that a compilation can ask for.
pub const MAX_SUBSCHEMAS: usize = 10_000;

/// Runs `work` with stack enough for a schema of `subschemas` parts. Memory is only touched as far as it is used.
pub fn with_deep_stack<R>(subschemas: usize, work: impl FnOnce() -> R) -> R {
    let extra = subschemas.min(MAX_SUBSCHEMAS) * PER_SUBSCHEMA;
    stacker::maybe_grow(RED_ZONE + extra, SEGMENT + extra, work)
}
