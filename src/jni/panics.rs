//! What a panic said and where, without a backtrace and without printing.
//!
//! The text is in the payload that `catch_unwind` hands over; the place is known only inside the panic hook. The hook leaves it
//! in a thread-local that has no destructor (one with a destructor would keep the library mapped as long as the Java thread
//! lives). Each copy of the library has its own standard library, so that the hook touches nobody else's panics.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use once_cell::race::OnceBool;

/// Bytes that are kept of a source path; what is longer loses its front.
const FILE_BYTES: usize = 192;

#[derive(Clone, Copy)]
struct Place {
    file: [u8; FILE_BYTES],
    length: usize,
    line: u32,
}

thread_local! {
    static LAST: Cell<Option<Place>> = const { Cell::new(None) };
}

/// Installs the hook, once for each loaded copy. Two threads that race may both install it, which changes nothing.
pub fn install_hook() {
    static INSTALLED: OnceBool = OnceBool::new();
    INSTALLED.get_or_init(|| {
        panic::set_hook(Box::new(remember_place));
        true
    });
}

fn remember_place(info: &PanicHookInfo<'_>) {
    LAST.set(
        info.location()
            .map(|location| Place::of(location.file(), location.line())),
    );
}

impl Place {
    fn of(path: &str, line: u32) -> Self {
        let bytes = path.as_bytes();
        let tail = bytes.get(bytes.len().saturating_sub(FILE_BYTES)..).unwrap_or_default();
        let mut file = [0; FILE_BYTES];
        for (to, from) in file.iter_mut().zip(tail) {
            *to = *from;
        }
        Place {
            file,
            length: tail.len(),
            line,
        }
    }

    fn text(&self) -> String {
        let file = self.file.get(..self.length).unwrap_or_default();
        format!("{}:{}", String::from_utf8_lossy(file), self.line)
    }
}

/// Text, file and line of the panic that this thread has just caught.
pub fn describe(payload: Box<dyn Any + Send>) -> String {
    let place = LAST
        .take()
        .map_or_else(|| "an unknown place".to_owned(), |place| place.text());
    format!("{} at {place}", text_of(payload))
}

fn text_of(payload: Box<dyn Any + Send>) -> String {
    let payload = match payload.downcast::<String>() {
        Ok(text) => return *text,
        Err(payload) => payload,
    };
    match payload.downcast::<&'static str>() {
        Ok(text) => (*text).to_owned(),
        Err(payload) => {
            discard(payload);
            "a panic whose payload is no text".to_owned()
        }
    }
}

/// Drops a payload. One whose destructor panics is left to leak together with what it raised.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(raised) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(raised);
    }
}
