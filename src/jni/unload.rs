//! Lets a copy of the library go without a trace, on Linux with glibc.
//!
//! The standard library and the crates below leave two things behind that live longer than a copy:
//!
//! * A pthread key, taken when a thread of ours starts. Its destructor is code of the copy, and glibc has 1,024 keys for the life
//!   of the process: after about a thousand redeployments the JVM would abort for want of one. So we note the keys that
//!   this copy takes and give them back when it is unloaded.
//! * Destructors of thread-locals, registered with glibc. One on a long-lived Java thread keeps the copy mapped. So on Java
//!   threads none is registered; what such a thread-local holds, a few buffers at most, is not freed there.
//!
//! Both calls are caught by defining the two symbols inside the library, hidden from everybody else: references in the standard
//! library bind to them when the library is linked. musl and macOS never unload a library, Windows has no such limit.

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub use glibc::{enter_java_thread, thread_joined, thread_started};

#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub use nothing_to_do::{enter_java_thread, thread_joined, thread_started};

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod glibc {
    use std::arch::global_asm;
    use std::cell::Cell;
    use std::ffi::CStr;
    use std::mem;
    use std::ptr;
    use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

    use libc::{c_int, c_void, pthread_key_t};

    type Destructor = unsafe extern "C" fn(*mut c_void);
    type KeyCreate = unsafe extern "C" fn(*mut pthread_key_t, Option<Destructor>) -> c_int;
    type AtThreadExit = unsafe extern "C" fn(Destructor, *mut c_void, *mut c_void) -> c_int;

    /// The standard library takes one key; the rest is reserve. Keys beyond are not given back.
    const MAX_KEYS: usize = 16;

    /// Keys of this copy, each plus one so that zero means none.
    static KEYS: [AtomicU32; MAX_KEYS] = [const { AtomicU32::new(0) }; MAX_KEYS];

    /// Threads of ours that may still use the keys.
    static THREADS: AtomicUsize = AtomicUsize::new(0);

    thread_local! {
        static IS_JAVA: Cell<bool> = const { Cell::new(false) };
    }

    /// From here on no destructor of a thread-local is registered on this thread.
    pub fn enter_java_thread() {
        IS_JAVA.set(true);
    }

    pub fn thread_started() {
        THREADS.fetch_add(1, Ordering::SeqCst);
    }

    pub fn thread_joined() {
        THREADS.fetch_sub(1, Ordering::SeqCst);
    }

    #[cfg(target_arch = "x86_64")]
    global_asm!(
        ".globl pthread_key_create",
        ".hidden pthread_key_create",
        ".type pthread_key_create,@function",
        "pthread_key_create: jmp {key_create}",
        ".globl __cxa_thread_atexit_impl",
        ".hidden __cxa_thread_atexit_impl",
        ".type __cxa_thread_atexit_impl,@function",
        "__cxa_thread_atexit_impl: jmp {at_thread_exit}",
        key_create = sym key_create,
        at_thread_exit = sym at_thread_exit,
    );

    #[cfg(target_arch = "aarch64")]
    global_asm!(
        ".globl pthread_key_create",
        ".hidden pthread_key_create",
        ".type pthread_key_create,@function",
        "pthread_key_create: b {key_create}",
        ".globl __cxa_thread_atexit_impl",
        ".hidden __cxa_thread_atexit_impl",
        ".type __cxa_thread_atexit_impl,@function",
        "__cxa_thread_atexit_impl: b {at_thread_exit}",
        key_create = sym key_create,
        at_thread_exit = sym at_thread_exit,
    );

    extern "C" fn key_create(key: *mut pthread_key_t, destructor: Option<Destructor>) -> c_int {
        static GENUINE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        let Some(genuine) = genuine(&GENUINE, c"pthread_key_create") else {
            return libc::ENOSYS;
        };
        // SAFETY: glibc's function of this name has this signature; the arguments are the caller's, unchanged.
        let genuine: KeyCreate = unsafe { mem::transmute(genuine) };
        // SAFETY: as above.
        let code = unsafe { genuine(key, destructor) };
        if code == 0 {
            // SAFETY: the call succeeded, so that `key` points to the new key.
            note(unsafe { *key });
        }
        code
    }

    fn note(key: pthread_key_t) {
        for slot in &KEYS {
            let free = slot.compare_exchange(0, key.wrapping_add(1), Ordering::SeqCst, Ordering::SeqCst);
            if free.is_ok() {
                return;
            }
        }
    }

    extern "C" fn at_thread_exit(destructor: Destructor, object: *mut c_void, library: *mut c_void) -> c_int {
        static GENUINE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        if IS_JAVA.get() {
            return 0;
        }
        // Before glibc 2.18 there is no such function, and nothing is registered on any thread.
        let Some(genuine) = genuine(&GENUINE, c"__cxa_thread_atexit_impl") else {
            return 0;
        };
        // SAFETY: glibc's function of this name has this signature; the arguments are the caller's, unchanged.
        let genuine: AtThreadExit = unsafe { mem::transmute(genuine) };
        // SAFETY: as above.
        unsafe { genuine(destructor, object, library) }
    }

    /// The function that our definition stands before.
    fn genuine(known: &AtomicPtr<c_void>, name: &CStr) -> Option<*mut c_void> {
        let mut function = known.load(Ordering::SeqCst);
        if function.is_null() {
            // SAFETY: the name is NUL-terminated; RTLD_NEXT looks behind this library.
            function = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
            known.store(function, Ordering::SeqCst);
        }
        Some(function).filter(|function| !function.is_null())
    }

    // SAFETY: the linker's list of functions without arguments that run when the library is unloaded, or the process ends.
    #[unsafe(link_section = ".fini_array")]
    #[used]
    static AT_UNLOAD: extern "C" fn() = give_keys_back;

    /// At the end of the process our threads may still run and use the keys; then they stay.
    extern "C" fn give_keys_back() {
        if THREADS.load(Ordering::SeqCst) > 0 {
            return;
        }
        for slot in &KEYS {
            if let Some(key) = slot.swap(0, Ordering::SeqCst).checked_sub(1) {
                // SAFETY: the key was made by this copy, is deleted once, and no thread of ours is left to use it.
                unsafe { libc::pthread_key_delete(key) };
            }
        }
    }
}

#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
mod nothing_to_do {
    pub fn enter_java_thread() {}
    pub fn thread_started() {}
    pub fn thread_joined() {}
}
