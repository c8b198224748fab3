//! A folder and a command for each test; on failure the command and all it printed are shown.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A test's own folder, without any settings from outside.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

/// A command and what it printed.
pub(crate) struct Ran {
    shown: String,
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder for the test"),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.join(name), text).expect("a file for the test");
    }

    /// The command, in the folder, without `TOADS_*` variables.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toads"));
        command
            .args(args)
            .current_dir(self.path())
            .env("HOME", self.path())
            .env("XDG_CONFIG_HOME", self.join("config"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TOADS_") {
                command.env_remove(name);
            }
        }
        command.env("RUST_BACKTRACE", "1").stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args), None)
    }

    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let mut command = self.command(args);
        command.envs(env.iter().copied());
        Ran::of(command, None)
    }

    pub(crate) fn run_on(&self, args: &[&str], stdin: &str) -> Ran {
        Ran::of(self.command(args), Some(stdin))
    }
}

impl Ran {
    pub(crate) fn of(mut command: Command, stdin: Option<&str>) -> Self {
        let stdin = stdin.map(str::to_owned);
        command.stdin(if stdin.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        });
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("toads starts");
        let mut pipe = child.stdin.take();
        let writer = std::thread::spawn(move || {
            if let (Some(pipe), Some(text)) = (pipe.as_mut(), stdin) {
                let _ = pipe.write_all(text.as_bytes());
            }
        });
        let output = child.wait_with_output().expect("toads ends");
        writer.join().expect("the writer ends");
        Self::from_output(&format!("{command:?}"), &output)
    }

    pub(crate) fn from_output(command: &str, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let mut shown = String::new();
        let _ = write!(
            shown,
            "\n$ {command}\n{}\n--- stdout\n{stdout}--- stderr\n{stderr}---",
            output.status
        );
        Self {
            shown,
            code: output.status.code().unwrap_or(-1),
            stdout,
            stderr,
        }
    }

    /// Ended well; its standard output.
    #[track_caller]
    pub(crate) fn ok(&self) -> &str {
        assert_eq!(self.code, 0, "expected success{}", self.shown);
        &self.stdout
    }

    /// Ended with this code, one `error:` line that has all of `parts`, and no stack trace.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "expected exit code {code}{}", self.shown);
        let errors: Vec<_> = self
            .stderr
            .lines()
            .filter(|line| line.starts_with("error:"))
            .collect();
        assert_eq!(errors.len(), 1, "expected one error line{}", self.shown);
        for part in parts {
            assert!(
                errors[0].contains(part) || self.stderr.contains(part),
                "expected `{part}`{}",
                self.shown
            );
        }
        for trace in [
            "stack backtrace",
            "panicked",
            "RUST_BACKTRACE",
            "internal error",
        ] {
            assert!(
                !self.stderr.contains(trace),
                "a stack trace is for developers{}",
                self.shown
            );
        }
    }

    #[track_caller]
    pub(crate) fn check(&self, holds: bool, what: &str) {
        assert!(holds, "{what}{}", self.shown);
    }
}
