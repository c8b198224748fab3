//! A folder of one's own and the `toads` binary in it.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// A command that runs so long hangs.
const HANG: Duration = Duration::from_secs(600);

/// A reference figure of `tests/golden`.
pub fn golden(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A temporary folder in which `toads` is run.
#[derive(Debug)]
pub struct Scene {
    folder: tempfile::TempDir,
}

/// What a finished command left.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code; −1 when a signal ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    command: String,
}

impl Outcome {
    /// The outcome itself, if the exit code is this one.
    ///
    /// # Panics
    /// If it is another one, with all that was printed.
    #[allow(clippy::return_self_not_must_use)] // the assertion is what it is called for
    #[track_caller]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "\n$ {}\nstdout:\n{}\nstderr:\n{}",
            self.command, self.stdout, self.stderr
        );
        self
    }

    /// The rows of a tsv answer as cells, without the header.
    pub fn rows(&self) -> Vec<Vec<String>> {
        self.stdout
            .lines()
            .skip(1)
            .map(|line| line.split('\t').map(str::to_owned).collect())
            .collect()
    }

    /// The cell of column `name` in each row of a tsv answer.
    #[track_caller]
    pub fn column(&self, name: &str) -> Vec<String> {
        let header: Vec<&str> = self
            .stdout
            .lines()
            .next()
            .unwrap_or_default()
            .split('\t')
            .collect();
        let at = header.iter().position(|&column| column == name);
        let at = at.unwrap_or_else(|| panic!("no column {name} in {header:?}\n$ {}", self.command));
        self.rows().into_iter().map(|row| row[at].clone()).collect()
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Scene {
    /// A new empty folder.
    ///
    /// # Panics
    /// If there is no room for one.
    pub fn new() -> Self {
        Self {
            folder: tempfile::Builder::new()
                .prefix("toads-test-")
                .tempdir()
                .expect("a temporary folder"),
        }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The path of the binary: beside the test's own, where cargo put it.
    ///
    /// # Panics
    /// If it was not built.
    pub fn binary() -> PathBuf {
        let here = std::env::current_exe().expect("tests know where they are");
        let folder = here
            .parent()
            .and_then(Path::parent)
            .expect("target/<profile>/deps/<test>");
        let binary = folder.join("toads");
        assert!(
            binary.is_file(),
            "{} is missing: cargo build --release -p toads",
            binary.display()
        );
        binary
    }

    /// `toads` with these arguments, in the folder, without the caller's settings.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(Self::binary());
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1");
        for (name, _) in std::env::vars() {
            if name.starts_with("TOADS_") && name != "TOADS_PYTHON" {
                command.env_remove(name);
            }
        }
        command.env("XDG_CONFIG_HOME", self.folder.path());
        command
    }

    /// Runs `toads` to its end.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        Self::finish(self.command(arguments), None)
    }

    /// The same with arguments as one line, none of which holds a blank.
    #[track_caller]
    pub fn toads(&self, line: &str) -> Outcome {
        self.run(&line.split(' ').collect::<Vec<_>>())
    }

    /// Runs `toads` to its end with `input` on its standard input.
    #[track_caller]
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Outcome {
        Self::finish(self.command(arguments), Some(input.to_owned()))
    }

    /// Runs `command` to its end.
    ///
    /// # Panics
    /// If it cannot be started, or does not end within ten minutes.
    pub fn finish(mut command: Command, input: Option<String>) -> Outcome {
        let text = format!("{command:?}");
        let stdin = if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        };
        command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let writer = input.map(|input| {
            let mut stdin = child.stdin.take().expect("piped");
            std::thread::spawn(move || {
                let _ = stdin.write_all(input.as_bytes());
            })
        });
        let (ended, end) = mpsc::channel::<()>();
        let id = child.id().to_string();
        let watch = std::thread::spawn(move || {
            let is_late = end.recv_timeout(HANG) == Err(RecvTimeoutError::Timeout);
            if is_late {
                let _ = Command::new("kill").args(["-KILL", &id]).status();
            }
            is_late
        });
        let output = child
            .wait_with_output()
            .expect("the child can be waited for");
        drop(ended);
        let is_late = watch.join().expect("the watch does not panic");
        assert!(!is_late, "{text} did not end within {HANG:?}");
        if let Some(writer) = writer {
            writer.join().expect("the writer does not panic");
        }
        Outcome {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            command: text,
        }
    }

    /// Starts `toads` in the background, its output in `NAME.out` and `NAME.err`; killed when dropped.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn background(&self, name: &str, mut command: Command) -> Background {
        let file = |suffix: &str| {
            std::fs::File::create(self.path(&format!("{name}.{suffix}"))).expect("a new file")
        };
        command
            .stdin(Stdio::null())
            .stdout(file("out"))
            .stderr(file("err"));
        let child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Background {
            child,
            stderr: self.path(&format!("{name}.err")),
        }
    }

    /// The content digest of the store.
    #[track_caller]
    pub fn digest(&self, store: &str) -> String {
        let info = self
            .run(&["db", "info", "--store", store, "--format", "tsv"])
            .expect_code(0);
        let row = info.rows().into_iter().find(|row| row[0] == "digest");
        row.unwrap_or_else(|| panic!("db info has no digest:\n{}", info.stdout))[1].clone()
    }
}

/// A process that is going on.
#[derive(Debug)]
pub struct Background {
    child: Child,
    stderr: PathBuf,
}

impl Background {
    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills it with SIGKILL and waits until it is gone.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends it a signal by name, such as `TERM`.
    ///
    /// # Panics
    /// If there is no `kill` command.
    pub fn signal(&self, name: &str) {
        Command::new("kill")
            .arg(format!("-{name}"))
            .arg(self.pid().to_string())
            .status()
            .expect("kill(1)");
    }

    /// Waits for its end; the exit code, −1 after a signal.
    ///
    /// # Panics
    /// If it does not end within `limit`, with what it printed.
    #[track_caller]
    pub fn wait(&mut self, limit: Duration) -> i32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.ended() {
                return status.code().unwrap_or(-1);
            }
            assert!(
                start.elapsed() < limit,
                "still running after {limit:?}; stderr:\n{}",
                self.stderr()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether it goes on.
    ///
    /// # Panics
    /// If the system does not know it.
    pub fn is_running(&mut self) -> bool {
        self.ended().is_none()
    }

    /// The signal that ended it; `None` when it goes on or ended by itself.
    ///
    /// # Panics
    /// If the system does not know it.
    pub fn signal_of_end(&mut self) -> Option<i32> {
        self.ended().and_then(|status| status.signal())
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("the child can be waited for")
    }

    /// What it printed to standard error so far.
    pub fn stderr(&self) -> String {
        std::fs::read_to_string(&self.stderr).unwrap_or_default()
    }

    /// Waits until `condition` holds while the process goes on.
    ///
    /// # Panics
    /// If the process ends or a minute passes first, with what it printed.
    #[track_caller]
    pub fn until(&mut self, what: &str, mut condition: impl FnMut() -> bool) {
        let start = Instant::now();
        while !condition() {
            let ended = self.ended();
            assert!(
                ended.is_none(),
                "it ended ({ended:?}) before {what}; stderr:\n{}",
                self.stderr()
            );
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "a minute went by before {what}; stderr:\n{}",
                self.stderr()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.kill();
    }
}
