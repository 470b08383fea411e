//! Lets tests provoke a panic of each sort at each native method, with the feature `panic-probe`. Without the feature a probe frame
//! is what it looks like, an invalid frame, and a probe id is an unknown id.

/// First byte of a probe frame; MessagePack never uses it. The name of a kind follows.
#[cfg(feature = "panic-probe")]
const PROBE: u8 = 0xc1;

#[cfg(not(feature = "panic-probe"))]
pub fn by_frame(_frame: &[u8]) {}

#[cfg(not(feature = "panic-probe"))]
pub fn by_id(_id: i64) {}

/// Panics when the frame asks for it.
#[cfg(feature = "panic-probe")]
pub fn by_frame(frame: &[u8]) {
    if let Some((&PROBE, name)) = frame.split_first() {
        for (_, panic) in kinds::KINDS.iter().filter(|(kind, _)| kind.as_bytes() == name) {
            panic();
        }
    }
}

/// Panics when the id is `Long.MIN_VALUE` plus the number of a kind.
#[cfg(feature = "panic-probe")]
pub fn by_id(id: i64) {
    let number = usize::try_from(id.wrapping_sub(i64::MIN)).unwrap_or(usize::MAX);
    if let Some((_, panic)) = kinds::KINDS.get(number) {
        panic();
    }
}

#[cfg(feature = "panic-probe")]
mod kinds {
    use std::hint::black_box;

    /// The kinds, in the order of their numbers.
    pub const KINDS: [(&str, fn()); 9] = [
        ("literal", || panic!("probe: a literal text")),
        ("formatted", || {
            panic!("probe: formatted {} \u{1f600} \u{0}", black_box(42))
        }),
        ("index", index),
        ("unwrap", unwrap),
        ("non_string", || std::panic::panic_any(42_u8)),
        ("drop", || drop(black_box(PanicsOnDrop))),
        ("payload_drop", || std::panic::panic_any(PanicsOnDrop)),
        ("overflow_arithmetic", overflow),
        ("long_text", || panic!("probe: {}", "x".repeat(black_box(100_000)))),
    ];

    struct PanicsOnDrop;

    impl Drop for PanicsOnDrop {
        fn drop(&mut self) {
            panic!("probe: raised by a destructor");
        }
    }

    fn index() {
        let items = Vec::from([1, 2, 3]);
        let number = black_box(7);
        black_box(items[number]);
    }

    /// A division, because it is the overflow that release builds check too.
    fn overflow() {
        black_box(black_box(i64::MIN) / black_box(-1));
    }

    fn unwrap() {
        let nothing: Option<u8> = black_box(None);
        black_box(nothing.unwrap());
    }
}
