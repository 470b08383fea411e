//! The pages for users name every kind and every reason.

use flink_agents_native::error::ErrorKind;
use flink_agents_native::structured::ReasonCode;

#[test]
fn docs_name_every_error_kind() {
    let page = include_str!("../docs/failures.md");
    for kind in ErrorKind::ALL {
        assert!(page.contains(&format!("| `{}` |", kind.name())), "{}", kind.name());
    }
}

#[test]
fn docs_name_every_reason_code() {
    let page = include_str!("../docs/decisions.md");
    for code in ReasonCode::ALL {
        assert!(page.contains(&format!("| `{}` |", code.name())), "{}", code.name());
    }
}
