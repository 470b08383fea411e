//! What the native library promises about itself: its exports, its `unsafe`, its way to end a panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use flink_agents_native::jni::exports::NATIVES;

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

fn rust_sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => rust_sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// Lines without comments; texts are kept, so that none of them may say `unsafe` either.
fn code(source: &str) -> Vec<&str> {
    source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect()
}

#[test]
fn exports_and_natives_and_the_document_are_the_same_list() {
    let prefix = "fn Java_io_github_flinkagentsnative_Native_";
    let source = read("src/jni/exports.rs");
    let exported: BTreeSet<&str> = source
        .lines()
        .filter_map(|line| line.split(prefix).nth(1)?.split(['<', '(']).next())
        .collect();
    assert_eq!(exported, BTreeSet::from(NATIVES));
    assert_eq!(NATIVES.len(), exported.len());

    let document = read("docs/boundary.md");
    let documented: BTreeSet<&str> = document
        .lines()
        .filter_map(|line| line.strip_prefix("| `byte[] ")?.split('(').next())
        .collect();
    assert_eq!(documented, exported);
}

#[test]
fn each_export_is_unmangled_and_enters_through_the_guard() {
    let source = read("src/jni/exports.rs");
    let functions = source.matches("extern \"system\" fn").count();
    assert_eq!(functions, NATIVES.len());
    assert_eq!(source.matches("#[unsafe(no_mangle)]").count(), NATIVES.len());
    let entered = ["    call(env,", "    call_without_frame(env,", "    hand_over(env,"];
    let guarded = entered.iter().map(|call| source.matches(call).count()).sum::<usize>();
    assert_eq!(guarded, NATIVES.len());
}

#[test]
fn unsafe_stands_in_the_jni_folder_only_and_says_why_it_is_sound() {
    for path in rust_sources(Path::new("src")) {
        let source = read(&path);
        let lines: Vec<&str> = source.lines().collect();
        let inside = path.starts_with("src/jni");
        for (number, line) in code(&source).into_iter().enumerate() {
            let line = line.replace("unsafe_code", "");
            // The type of a function that is unsafe to call does nothing by itself.
            if !line.contains("unsafe") || line.trim_start().starts_with("type ") {
                continue;
            }
            let place = format!("{}:{}", path.display(), number + 1);
            assert!(inside, "{place}");
            let before = &lines[number.saturating_sub(5)..number];
            let reason = before.iter().any(|line| line.trim_start().starts_with("// SAFETY:"));
            assert!(reason, "{place} has no SAFETY comment");
        }
    }
}

#[test]
fn a_panic_unwinds_in_release_builds() {
    let manifest = read("Cargo.toml");
    let profile = manifest.split("[profile.release]").nth(1).expect("the profile");
    let profile = profile.split("\n[").next().expect("its lines");
    assert!(profile.lines().any(|line| line == "panic = \"unwind\""), "{profile}");
    assert!(!manifest.contains("panic = \"abort\""));
}

#[test]
fn nothing_on_a_java_thread_asks_for_the_current_thread_or_parks_it() {
    let forbidden = [
        "thread::current",
        "thread::park",
        "thread::scope",
        "sync::mpsc",
        "once_cell::sync",
        "Lazy<",
        "std::thread::spawn",
        "thread::Builder",
    ];
    for path in rust_sources(Path::new("src")) {
        // The Windows and other way to start a thread; see the reasons there.
        if path.ends_with("jni/thread.rs") {
            continue;
        }
        let source = read(&path);
        let code: String = code(&source).join("\n");
        for name in forbidden {
            assert!(!code.contains(name), "{} in {}", name, path.display());
        }
    }
}

#[test]
fn thread_locals_have_no_destructor() {
    for path in rust_sources(Path::new("src")) {
        let source = read(&path);
        let code: String = code(&source).join("\n");
        let allowed = path.ends_with("jni/panics.rs") || path.ends_with("jni/unload.rs");
        assert!(allowed || !code.contains("thread_local!"), "{}", path.display());
    }
    assert!(read("src/jni/unload.rs").contains("static IS_JAVA: Cell<bool> = const { Cell::new(false) };"));
    assert!(read("src/jni/panics.rs").contains("static LAST: Cell<Option<Place>> = const { Cell::new(None) };"));
}
