//! Writes `src/generated/` from `proto/toads/v1/*.proto`, or with `--check` says whether it is current.
//!
//! Exit code 0: current or written; 1: stale, or the files in `proto/` do not compile.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use prost::Message;
use prost_types::FileDescriptorSet;
use tonic_prost_build::configure;

/// What is generated: code of the one package, and the descriptors that the reflection service shows.
const FILES: [&str; 2] = ["toads.v1.rs", "descriptors.bin"];

fn main() -> ExitCode {
    let check = env::args().skip(1).any(|argument| argument == "--check");
    match run(check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("generate: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<(), String> {
    let wire =
        env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    let wire = Path::new(&wire);
    let checked_in = wire.join("src/generated");
    let fresh = env::temp_dir().join(format!("toads-generate-{}", std::process::id()));
    fs::create_dir_all(&fresh)
        .map_err(|error| format!("{} cannot be made: {error}", fresh.display()))?;
    let outcome = generate(&wire.join("../../proto"), &fresh).and_then(|()| {
        if check {
            compare(&fresh, &checked_in)
        } else {
            copy(&fresh, &checked_in)
        }
    });
    fs::remove_dir_all(&fresh).ok();
    outcome
}

/// Compiles the contract without protoc and writes both files into `out`.
fn generate(proto: &Path, out: &Path) -> Result<(), String> {
    let mut compiler = protox::Compiler::new([proto]).map_err(|error| error.to_string())?;
    compiler.include_source_info(true).include_imports(true);
    compiler
        .open_files([
            "toads/v1/types.proto",
            "toads/v1/workers.proto",
            "toads/v1/census.proto",
            "toads/v1/surveys.proto",
            "toads/v1/parts.proto",
        ])
        .map_err(|error| error.to_string())?;
    configure()
        .out_dir(out)
        .compile_fds(compiler.file_descriptor_set())
        .map_err(|error| format!("the code cannot be generated: {error}"))?;
    fs::write(
        out.join(FILES[1]),
        descriptors(&compiler.file_descriptor_set()),
    )
    .map_err(|error| format!("the descriptors cannot be written: {error}"))
}

/// The descriptors without comments and positions: what the reflection service needs, and nothing that a reworded
/// comment would change.
fn descriptors(set: &FileDescriptorSet) -> Vec<u8> {
    let mut set = set.clone();
    set.file
        .iter_mut()
        .for_each(|file| file.source_code_info = None);
    set.encode_to_vec()
}

fn compare(fresh: &Path, checked_in: &Path) -> Result<(), String> {
    for name in FILES {
        let new = fs::read(fresh.join(name))
            .map_err(|error| format!("{name} was not generated: {error}"))?;
        if fs::read(checked_in.join(name)).ok().as_ref() != Some(&new) {
            return Err(format!(
                "common/wire/src/generated/{name} is stale; run: make generate"
            ));
        }
    }
    println!("generate: common/wire/src/generated is current");
    Ok(())
}

fn copy(fresh: &Path, checked_in: &Path) -> Result<(), String> {
    let refuse = |error| format!("{} cannot be written: {error}", checked_in.display());
    fs::create_dir_all(checked_in).map_err(refuse)?;
    for name in FILES {
        fs::copy(fresh.join(name), checked_in.join(name)).map_err(refuse)?;
        println!("generate: wrote common/wire/src/generated/{name}");
    }
    Ok(())
}
