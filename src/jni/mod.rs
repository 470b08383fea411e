//! JNI: exports, guard and frames; the only place with `unsafe`.
//!
//! The contract with Java, see docs/boundary.md for the shapes:
//!
//! * Natives are static, take and return `byte[]`, plus ids as numbers. No Java object is read, no Java method is called, no
//!   global reference is kept, no thread is attached, no class is looked up by name but the three exceptions in [`guard`].
//! * An answer is a status byte and a frame: 0 and the result, or 1 and `{kind, message, details}`.
//! * Whatever is no expected failure becomes one pending exception of a `java.lang` class. A panic never leaves a native
//!   method, so that it cannot end the JVM.
//! * A copy of the library must unload with its class loader. So nothing of ours on a Java thread registers a thread-local
//!   with a destructor or asks for the current thread: both leave a pointer into the library on that thread. `unload` holds
//!   the crates below to it.

pub mod exports;
pub mod frame;
pub mod guard;
mod panics;
mod probe;
pub mod thread;
mod unload;
