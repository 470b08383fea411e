//! Starts a thread of ours without touching the thread that asks for it.
//!
//! `std::thread` leaves a thread-local with a destructor on its *caller* and may leave a pthread key there. On a Java
//! thread the first keeps the library mapped as long as that thread lives, the second calls into the library when the thread ends,
//! mapped or not. A plain `pthread_create` does neither. On other systems libraries do not unload, and `std::thread` serves.

use std::io;

/// What the thread runs. A panic ends it in silence: whoever waits for its work must notice by other means.
pub type Body = Box<dyn FnOnce() + Send + 'static>;

#[cfg(unix)]
pub use posix::{Thread, start};

#[cfg(not(unix))]
pub use portable::{Thread, start};

#[cfg(unix)]
mod posix {
    use std::ffi::CString;
    use std::mem::MaybeUninit;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::ptr;

    use libc::c_void;

    use super::{Body, io};
    use crate::jni::unload;

    const STACK_BYTES: usize = 2 * 1024 * 1024;

    /// A running thread. Must be joined, so that no code of the library runs once it may be unmapped; dropped unjoined, the
    /// thread runs on.
    #[derive(Debug)]
    pub struct Thread {
        id: Option<libc::pthread_t>,
    }

    struct Start {
        name: CString,
        body: Body,
    }

    /// Starts a thread that runs `body`. `name` is cut at 15 bytes by Linux.
    pub fn start(name: &str, body: Body) -> io::Result<Thread> {
        let start = Box::new(Start {
            name: CString::new(name)?,
            body,
        });
        let argument = Box::into_raw(start).cast::<c_void>();
        match create(argument) {
            Ok(id) => {
                unload::thread_started();
                Ok(Thread { id: Some(id) })
            }
            Err(error) => {
                // SAFETY: no thread was started, so that the box made above still has this one owner.
                drop(unsafe { Box::from_raw(argument.cast::<Start>()) });
                Err(error)
            }
        }
    }

    fn create(argument: *mut c_void) -> io::Result<libc::pthread_t> {
        let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
        let mut id = MaybeUninit::<libc::pthread_t>::uninit();
        // SAFETY: the attributes are initialised before use and destroyed once; `run` matches the signature that
        // pthread_create asks for and takes ownership of `argument` only when the thread has started.
        unsafe {
            check(libc::pthread_attr_init(attributes.as_mut_ptr()))?;
            let created = check(libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK_BYTES)).and_then(|()| {
                check(libc::pthread_create(
                    id.as_mut_ptr(),
                    attributes.as_ptr(),
                    run,
                    argument,
                ))
            });
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
            created?;
            Ok(id.assume_init())
        }
    }

    fn check(code: libc::c_int) -> io::Result<()> {
        match code {
            0 => Ok(()),
            code => Err(io::Error::from_raw_os_error(code)),
        }
    }

    extern "C" fn run(argument: *mut c_void) -> *mut c_void {
        // SAFETY: `start` made this pointer from a box and handed it over with the thread.
        let start = unsafe { Box::from_raw(argument.cast::<Start>()) };
        set_name(&start.name);
        let body = start.body;
        if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
            std::mem::forget(payload);
        }
        ptr::null_mut()
    }

    /// Without a name of its own a thread carries that of the Java thread it was started from.
    fn set_name(name: &CString) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        // SAFETY: the name is NUL-terminated and outlives the call; the thread is this one.
        unsafe {
            libc::pthread_setname_np(libc::pthread_self(), name.as_ptr());
        }
        #[cfg(target_vendor = "apple")]
        // SAFETY: the name is NUL-terminated and outlives the call.
        unsafe {
            libc::pthread_setname_np(name.as_ptr());
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        let _ = name;
    }

    impl Thread {
        /// Waits until the thread has ended altogether.
        pub fn join(mut self) {
            if let Some(id) = self.id.take() {
                // SAFETY: `id` is a joinable thread of ours that nobody else joins or detaches.
                unsafe { libc::pthread_join(id, ptr::null_mut()) };
                unload::thread_joined();
            }
        }
    }

    impl Drop for Thread {
        fn drop(&mut self) {
            if let Some(id) = self.id.take() {
                // SAFETY: as in `join`.
                unsafe { libc::pthread_detach(id) };
            }
        }
    }
}

#[cfg(not(unix))]
mod portable {
    use super::{Body, io};

    /// A running thread.
    #[derive(Debug)]
    pub struct Thread {
        handle: std::thread::JoinHandle<()>,
    }

    /// Starts a thread that runs `body`.
    pub fn start(name: &str, body: Body) -> io::Result<Thread> {
        let handle = std::thread::Builder::new().name(name.to_owned()).spawn(body)?;
        Ok(Thread { handle })
    }

    impl Thread {
        /// Waits until the thread has ended.
        pub fn join(self) {
            if let Err(payload) = self.handle.join() {
                std::mem::forget(payload);
            }
        }
    }
}
