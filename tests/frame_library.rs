//! The library file that Java loads: which symbols it offers, and which it must not leave to the system.
#![cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]

use std::collections::BTreeSet;
use std::fs;

use flink_agents_native::jni::exports::NATIVES;

/// A dynamic symbol: its name, and whether the library defines it.
struct Symbol {
    name: String,
    defined: bool,
}

fn number<const N: usize>(file: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes[..N].copy_from_slice(&file[at..at + N]);
    u64::from_le_bytes(bytes)
}

fn offset(file: &[u8], at: usize) -> usize {
    usize::try_from(number::<8>(file, at)).expect("an offset")
}

/// Reads `.dynsym` of a 64-bit ELF file.
fn dynamic_symbols(file: &[u8]) -> Vec<Symbol> {
    const DYNSYM: u64 = 11;
    const SYMBOL_BYTES: usize = 24;
    let (sections, size) = (offset(file, 0x28), number::<2>(file, 0x3a) as usize);
    let section = |index: usize| sections + index * size;
    let count = number::<2>(file, 0x3c) as usize;
    let table = (0..count).map(section).find(|at| number::<4>(file, at + 4) == DYNSYM);
    let table = table.expect("a table of dynamic symbols");
    let (start, length) = (offset(file, table + 0x18), offset(file, table + 0x20));
    let names = offset(file, section(number::<4>(file, table + 0x28) as usize) + 0x18);
    (start..start + length)
        .step_by(SYMBOL_BYTES)
        .map(|at| {
            let name = &file[names + number::<4>(file, at) as usize..];
            let end = name.iter().position(|byte| *byte == 0).expect("an end");
            Symbol {
                name: String::from_utf8(name[..end].to_vec()).expect("a name"),
                defined: number::<2>(file, at + 6) != 0,
            }
        })
        .filter(|symbol| !symbol.name.is_empty())
        .collect()
}

fn library() -> Vec<Symbol> {
    // Beside the test, where it was built with it; the copy one folder above may be older.
    let test = std::env::current_exe().expect("this test");
    let path = test.with_file_name("libflink_agents_native.so");
    dynamic_symbols(&fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn the_library_exports_its_natives_and_nothing_else() {
    let symbols = library();
    let exported: BTreeSet<&str> = symbols
        .iter()
        .filter(|symbol| symbol.defined)
        .map(|symbol| symbol.name.as_str())
        .collect();
    let natives = NATIVES.map(|native| format!("Java_io_github_flinkagentsnative_Native_{native}"));
    assert_eq!(exported, natives.iter().map(String::as_str).collect());
}

/// See `src/jni/unload.rs`. Fails when a new standard library takes keys or registers destructors in another way.
#[cfg(all(target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[test]
fn keys_and_destructors_of_thread_locals_go_through_the_library() {
    for symbol in library() {
        let name = symbol.name.as_str();
        assert!(
            !["pthread_key_create", "__cxa_thread_atexit_impl"].contains(&name),
            "{name}"
        );
    }
    let symbols: BTreeSet<String> = library().into_iter().map(|symbol| symbol.name).collect();
    assert!(symbols.contains("pthread_key_delete"));
}
