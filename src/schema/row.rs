//! Row types as JSON Schema text (#1270), byte-equal with Python's rendering.

/// Field names and basic types.
#[derive(Debug, Clone, PartialEq)]
pub struct RowType {
    // R1 owns the fields
}
