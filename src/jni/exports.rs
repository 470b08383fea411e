//! The natives of `io.github.flinkagentsnative.Native`. No logic here: each hands over to the guard and an ordinary function.

#![allow(non_snake_case)]

use jni::EnvUnowned;
use jni::objects::{JByteArray, JClass};

use super::guard::call;
use crate::entry;

/// Every native method, for the tests that compare it with the exported symbols and with the Java class.
pub const NATIVES: [&str; 8] = [
    "handshake",
    "decide",
    "buildRequest",
    "parseResponse",
    "readAnswer",
    "schemaText",
    "readJson",
    "writeJson",
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
