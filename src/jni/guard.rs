//! The one place where a call enters the library and leaves it.
//!
//! Java → [`call`] or [`call_without_frame`] → an ordinary Rust function → status byte and frame → Java. Expected failures
//! leave as data. What is left is thrown here, as a class of `java.lang`, so that no loader can be the wrong one:
//!
//! | cause | exception |
//! |---|---|
//! | a panic | `IllegalStateException` with its text, file and line |
//! | a null argument | `NullPointerException` that names the argument |
//! | no memory for a frame | `OutOfMemoryError` |
//! | JNI itself failed | `IllegalStateException` |
//!
//! An exception that is pending already stays as it is.

use std::any::Any;

use jni::errors::{ErrorPolicy, JniError};
use jni::objects::JByteArray;
use jni::strings::{JNIStr, JNIString};
use jni::{Env, EnvUnowned, jni_str};

use super::{frame, panics, probe, unload};
use crate::error::{Error, Result};
use crate::json::Json;

const STATUS_RESULT: u8 = 0;
const STATUS_FAILURE: u8 = 1;

fn prepare() {
    unload::enter_java_thread();
    panics::install_hook();
}

/// Runs an operation on the frame that Java passed.
pub fn call<'local>(
    mut env: EnvUnowned<'local>,
    frame: &JByteArray<'local>,
    operation: impl FnOnce(&Json<'_>) -> Result<Json<'static>>,
) -> JByteArray<'local> {
    prepare();
    env.with_env(|env| {
        let bytes = copy_in(env, frame)?;
        probe::by_frame(&bytes);
        copy_out(env, &answer(frame::read(&bytes).and_then(|frame| operation(&frame))))
    })
    .resolve::<Throw>()
}

/// Runs an operation that takes ids only. `id` is where tests ask for a panic.
pub fn call_without_frame<'local>(
    mut env: EnvUnowned<'local>,
    id: i64,
    operation: impl FnOnce() -> Result<Json<'static>>,
) -> JByteArray<'local> {
    prepare();
    env.with_env(|env| {
        probe::by_id(id);
        copy_out(env, &answer(operation()))
    })
    .resolve::<Throw>()
}

/// Like [`call_without_frame`], for a result that must not get lost: when it cannot become a Java array, `take_back` is told.
pub fn hand_over<'local>(
    mut env: EnvUnowned<'local>,
    id: i64,
    operation: impl FnOnce(i64) -> Result<Json<'static>>,
    take_back: impl FnOnce(i64),
) -> JByteArray<'local> {
    prepare();
    env.with_env(|env| {
        probe::by_id(id);
        copy_out(env, &answer(operation(id))).inspect_err(|_| take_back(id))
    })
    .resolve::<Throw>()
}

/// Status byte and frame. A result that no frame can carry is a failure; a failure whose details no frame can carry loses them.
fn answer(result: Result<Json<'static>>) -> Vec<u8> {
    result
        .and_then(|value| framed(STATUS_RESULT, &value))
        .or_else(|error| {
            let bare = Error::new(error.kind, error.message.clone());
            framed(STATUS_FAILURE, &frame::error_map(error))
                .or_else(|_| framed(STATUS_FAILURE, &frame::error_map(bare)))
        })
        .unwrap_or_else(|_| vec![STATUS_FAILURE, EMPTY_MAP])
}

/// A MessagePack map without members.
const EMPTY_MAP: u8 = 0x80;

fn framed(status: u8, value: &Json<'_>) -> Result<Vec<u8>> {
    let mut out = vec![status];
    frame::write_into(value, &mut out)?;
    Ok(out)
}

/// What ends a call with an exception.
enum Fault {
    NullArgument(&'static str),
    OutOfMemory(usize),
    Jni(jni::errors::Error),
}

impl From<jni::errors::Error> for Fault {
    fn from(error: jni::errors::Error) -> Self {
        Fault::Jni(error)
    }
}

/// A copy, by region: nothing of Java is held while we work. More than a frame may hold is cut one byte above the limit, which
/// is enough for the frame to be refused.
fn copy_in(env: &Env<'_>, array: &JByteArray<'_>) -> std::result::Result<Vec<u8>, Fault> {
    if array.is_null() {
        return Err(Fault::NullArgument("frame"));
    }
    let length = array.len(env)?.min(frame::MAX_FRAME_BYTES + 1);
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(length)
        .map_err(|_| Fault::OutOfMemory(length))?;
    bytes.resize(length, 0);
    array.get_region(env, 0, signed_mut(&mut bytes))?;
    Ok(bytes)
}

fn copy_out<'local>(env: &mut Env<'local>, bytes: &[u8]) -> std::result::Result<JByteArray<'local>, Fault> {
    let array = env.new_byte_array(bytes.len()).map_err(|error| match error {
        jni::errors::Error::JniCall(JniError::NoMemory) | jni::errors::Error::NullPtr(_) => {
            Fault::OutOfMemory(bytes.len())
        }
        other => Fault::Jni(other),
    })?;
    array.set_region(env, 0, signed(bytes))?;
    Ok(array)
}

/// The same bytes as Java's signed ones.
fn signed(bytes: &[u8]) -> &[i8] {
    // SAFETY: `u8` and `i8` have the same size and alignment and no invalid values; lifetime and length stay the same.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

fn signed_mut(bytes: &mut [u8]) -> &mut [i8] {
    // SAFETY: as in `signed`; the borrow is exclusive for as long as the result lives.
    unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Turns what is left into one pending exception, and null as the value.
struct Throw;

impl<T: Default> ErrorPolicy<T, Fault> for Throw {
    type Captures<'unowned_env_local: 'native_method, 'native_method> = ();

    fn on_error<'unowned_env_local: 'native_method, 'native_method>(
        env: &mut Env<'unowned_env_local>,
        _captures: &mut (),
        fault: Fault,
    ) -> jni::errors::Result<T> {
        match fault {
            Fault::NullArgument(name) => throw(
                env,
                jni_str!("java/lang/NullPointerException"),
                format!("the argument `{name}` of a native method is null"),
            ),
            Fault::OutOfMemory(bytes) => throw(
                env,
                jni_str!("java/lang/OutOfMemoryError"),
                format!("no memory for a frame of {bytes} bytes between Java and the native library"),
            ),
            Fault::Jni(error) => throw(env, ILLEGAL_STATE, format!("JNI failed in the native library: {error}")),
        }
        Ok(T::default())
    }

    fn on_panic<'unowned_env_local: 'native_method, 'native_method>(
        env: &mut Env<'unowned_env_local>,
        _captures: &mut (),
        payload: Box<dyn Any + Send>,
    ) -> jni::errors::Result<T> {
        let panic = panics::describe(payload);
        throw(
            env,
            ILLEGAL_STATE,
            format!("the native library panicked: {panic}; this is a defect of flink-agents-native, please report it"),
        );
        Ok(T::default())
    }

    fn on_internal_jni_error<'unowned_env_local: 'native_method, 'native_method>(
        _captures: &mut (),
        _error: jni::errors::Error,
    ) -> T {
        T::default()
    }

    fn on_internal_panic<'unowned_env_local: 'native_method, 'native_method>(
        _captures: &mut (),
        payload: Box<dyn Any + Send>,
    ) -> T {
        std::mem::forget(payload);
        T::default()
    }
}

const ILLEGAL_STATE: &JNIStr = jni_str!("java/lang/IllegalStateException");

/// Leaves an exception pending, unless there is one. If even that fails, JNI has left its own error pending.
fn throw(env: &mut Env<'_>, class: &JNIStr, message: String) {
    if env.exception_check() {
        return;
    }
    let Ok(class) = env.find_class(class) else {
        return;
    };
    let message = JNIString::from(message);
    let raw = env.get_raw();
    // SAFETY: `raw` is the environment of this thread, checked by jni when the call entered; no exception is pending; `class` is
    // a live local reference to a subclass of Throwable; `message` is NUL-terminated modified UTF-8 that outlives the call.
    // jni's own `throw_new` is not used because it keeps a global reference for each copy of the library.
    let _ = unsafe { ((**raw).v1_1.ThrowNew)(raw, class.as_raw(), message.as_ptr()) };
}
