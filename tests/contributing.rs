//! The diff in CONTRIBUTING.md, which adds an invented provider, applies, touches what it says, and passes the tests.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PAGE: &str = include_str!("../CONTRIBUTING.md");

fn diff() -> &'static str {
    let (_, rest) = PAGE.split_once("```diff\n").expect("a diff");
    rest.split_once("```").expect("its end").0
}

/// Ends in `/` for a folder.
const MAY_TOUCH: [&str; 5] = [
    "src/provider/parrot.rs",
    "src/provider/mod.rs",
    "tests/vectors/parrot/",
    "docs/decisions.md",
    "java/core/src/main/java/io/github/flinkagentsnative/Provider.java",
];

#[test]
fn an_invented_provider_touches_one_file_the_registry_its_vectors_and_a_row() {
    let touched: Vec<&str> = diff().lines().filter_map(|line| line.strip_prefix("+++ b/")).collect();
    for file in &touched {
        let allowed = MAY_TOUCH
            .iter()
            .any(|place| file == place || place.ends_with('/') && file.starts_with(place));
        assert!(allowed, "{file}");
    }
    for place in MAY_TOUCH {
        assert!(touched.iter().any(|file| file.starts_with(place)), "{place}");
    }
    let changed: Vec<&str> = diff()
        .lines()
        .filter(|line| line.starts_with('-') && !line.starts_with("---"))
        .collect();
    assert!(changed.is_empty(), "takes nothing away: {changed:?}");
}

#[test]
fn an_invented_provider_passes_the_tests_of_all_providers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: git is not installed");
        return;
    }
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contributing");
    let copy = target.join("copy");
    if copy.exists() {
        fs::remove_dir_all(&copy).expect("an old copy to remove");
    }
    for part in [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "src",
        "tests",
        "docs",
        "java/core/src/main",
    ] {
        copy_into(&root.join(part), &copy.join(part));
    }
    apply(&copy);
    let tests = Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--locked", "--offline", "--features", "panic-probe"])
        .args(["--test", "entry_vectors", "--test", "entry_operations"])
        .current_dir(&copy)
        .env("CARGO_TARGET_DIR", target.join("target"))
        .output()
        .expect("cargo");
    let told = format!(
        "{}{}",
        String::from_utf8_lossy(&tests.stdout),
        String::from_utf8_lossy(&tests.stderr)
    );
    assert!(tests.status.success(), "{told}");
}

fn apply(copy: &Path) {
    let mut git = Command::new("git")
        .args(["apply", "--whitespace=error-all", "-"])
        .current_dir(copy)
        // Not a part of the repository around it.
        .env("GIT_CEILING_DIRECTORIES", copy.parent().expect("a folder"))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git");
    let mut input = git.stdin.take().expect("its input");
    input.write_all(diff().as_bytes()).expect("written");
    drop(input);
    let done = git.wait_with_output().expect("git's end");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn copy_into(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("entries") {
            let entry = entry.expect("an entry");
            copy_into(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(from, to).expect("a copy");
    }
}
