//! The one type of a secret in Rust: it can be used, and never printed.

use std::fmt;
use std::hint::black_box;

/// A key, token or password. Neither `Debug` nor `Display` shows it or its length; its bytes are overwritten when it goes.
pub struct Secret(Vec<u8>);

impl Secret {
    pub fn new(text: &str) -> Self {
        Secret(text.as_bytes().to_vec())
    }

    /// The secret itself, for the wire.
    pub fn reveal(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(hidden)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("(hidden)")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.fill(0);
        // Keeps the compiler from leaving out a write that nobody reads.
        black_box(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_way_of_printing_shows_it() {
        let secret = Secret::new("sk-verysecret");
        for shown in [
            format!("{secret}"),
            format!("{secret:?}"),
            format!("{:#?}", Some(&secret)),
        ] {
            assert!(shown.contains("hidden") && !shown.contains("very"), "{shown}");
        }
        assert_eq!(secret.reveal(), b"sk-verysecret");
    }
}
