//! The natives of `io.github.flinkagentsnative.Native`. No logic here: each hands over to the guard and an ordinary function.

#![allow(non_snake_case)]

use jni::EnvUnowned;
use jni::objects::{JByteArray, JClass};
use jni::sys::jlong;

use super::guard::{call, call_without_frame, hand_over};
use crate::{entry, transport};

/// Every native method, for the tests that compare it with the exported symbols and with the Java class.
pub const NATIVES: [&str; 14] = [
    "handshake",
    "decide",
    "buildRequest",
    "parseResponse",
    "readAnswer",
    "schemaText",
    "runStep",
    "readJson",
    "writeJson",
    "openClient",
    "submitCall",
    "cancelCall",
    "awaitCalls",
    "closeClient",
];

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_handshake<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::handshake)
}

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_decide<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::decide)
}

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_buildRequest<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::build_request)
}

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_parseResponse<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::parse_response)
}

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_readAnswer<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::read_answer)
}

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_schemaText<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::schema_text)
}

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_runStep<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::run_step)
}

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_readJson<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::read_json)
}

// SAFETY: the name belongs to one native method of one class, so that no other library defines it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_writeJson<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, entry::write_json)
}

// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_openClient<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, transport::open_client)
}

// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_submitCall<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    client: jlong,
    id: jlong,
    frame: JByteArray<'local>,
) -> JByteArray<'local> {
    call(env, &frame, |frame| transport::submit_call(client, id, frame))
}

// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_cancelCall<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    client: jlong,
    id: jlong,
) -> JByteArray<'local> {
    call_without_frame(env, client, || transport::cancel_call(client, id))
}

// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_awaitCalls<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    runtime: jlong,
) -> JByteArray<'local> {
    hand_over(env, runtime, transport::await_calls, transport::return_calls)
}

// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_github_flinkagentsnative_Native_closeClient<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    client: jlong,
) -> JByteArray<'local> {
    call_without_frame(env, client, || transport::close_client(client))
}
