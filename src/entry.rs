//! The operations of docs/boundary.md that need no thread: a request frame in, a result frame out, ordinary Rust.

use crate::error::Result;
use crate::json::Json;

macro_rules! stub { ($($name:ident),*) => { $(pub fn $name(_frame: &Json<'_>) -> Result<Json<'static>> { unimplemented!() })* } }
stub!(handshake, decide, build_request, parse_response, read_answer, schema_text, read_json, write_json);
