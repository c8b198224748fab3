//! A coordinator and its workers as processes, over one store.

use std::net::TcpListener;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use toads_tests::{Background, Outcome, Scene};

use crate::faults::Faults;
use crate::log::EventLog;
use crate::network::Host;

/// Clusters of this test process.
static CLUSTERS: AtomicU32 = AtomicU32::new(0);

/// A port that stays free while its coordinator is dead: none that the system gives to whoever connects to somebody
/// (from 32,768 on), and different ones for test processes that run at the same time.
fn free_port() -> u16 {
    let cluster = CLUSTERS.fetch_add(1, Ordering::Relaxed);
    let first = std::process::id().wrapping_mul(37).wrapping_add(cluster);
    let mut ports = (0..12_000).map(|next| 20_000 + (first.wrapping_add(next) % 12_000) as u16);
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports.find(is_free).expect("a free port")
}

/// How the processes of one scenario are started. They end when what is returned is dropped.
#[derive(Debug)]
pub struct Cluster<'a> {
    scene: &'a Scene,
    store: String,
    port: u16,
    started: usize,
    /// The host of the coordinator; `None` is this machine, on loopback.
    home: Option<&'a Host>,
    /// Flags of the coordinator beside store and address.
    pub coordinator_flags: Vec<String>,
    /// Flags of every worker beside address, name and threads.
    pub worker_flags: Vec<String>,
}

impl<'a> Cluster<'a> {
    /// Over this store, on a free port of loopback. Beats are quick, so that a silent worker is given up after 1.5 seconds.
    ///
    /// # Panics
    /// If no port is free.
    pub fn new(scene: &'a Scene, store: &str) -> Self {
        Self {
            scene,
            store: store.to_owned(),
            port: free_port(),
            started: 0,
            home: None,
            coordinator_flags: vec!["--beat".into(), "500ms".into()],
            worker_flags: vec!["--memory".into(), "256MiB".into()],
        }
    }

    /// The same with a coordinator on a host of its own; questions are asked there, too.
    pub fn on(scene: &'a Scene, store: &str, home: &'a Host) -> Self {
        let mut cluster = Self::new(scene, store);
        cluster.home = Some(home);
        cluster.coordinator_flags.push("--insecure".into());
        cluster
    }

    fn address(&self) -> String {
        let host = self.home.map_or("127.0.0.1", Host::address);
        format!("{host}:{}", self.port)
    }

    /// Where the coordinator answers.
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Asks `toads` something, on the coordinator's host.
    #[track_caller]
    pub fn ask(&self, arguments: &[&str]) -> Outcome {
        let command = self.scene.command(arguments);
        let command = self
            .home
            .map(|host| host.command(&command))
            .unwrap_or(command);
        Scene::finish(command, None)
    }

    /// Starts the coordinator.
    pub fn coordinator(&mut self, faults: &Faults) -> Background {
        let listen = self.address();
        // No HTTP: clusters of other tests would want the same port.
        let base = ["coordinator", "--listen", &listen, "--http", "off"];
        let mut command = self.scene.command(&base);
        command
            .args(["--store", &self.store])
            .args(&self.coordinator_flags);
        self.start("coordinator", command, self.home, faults)
    }

    /// Starts a worker with one thread.
    pub fn worker(&mut self, faults: &Faults) -> Background {
        self.worker_on(self.home, faults)
    }

    /// Starts a worker on another host.
    pub fn worker_on(&mut self, host: Option<&Host>, faults: &Faults) -> Background {
        let (url, name) = (self.url(), format!("worker-{}", self.started + 1));
        let mut command = self
            .scene
            .command(&["worker", "--coordinator", &url, "--threads", "1"]);
        command.args(["--name", &name]).args(&self.worker_flags);
        self.start("worker", command, host, faults)
    }

    fn start(
        &mut self,
        role: &str,
        mut command: Command,
        host: Option<&Host>,
        faults: &Faults,
    ) -> Background {
        self.started += 1;
        if let Some(text) = faults.variable() {
            command.env(toads_fault::VARIABLE, text);
        }
        let command = host.map(|host| host.command(&command)).unwrap_or(command);
        self.scene
            .background(&format!("{role}-{}", self.started), command)
    }

    /// Has the coordinator run these squares; the run may be there already.
    #[track_caller]
    pub fn submit(&self, coordinator: &mut Background, squares: &str) {
        coordinator.until("the coordinator takes the run", || self.try_submit(squares));
    }

    /// The same once; false when nobody answers.
    pub fn try_submit(&self, squares: &str) -> bool {
        let arguments = [
            "census",
            "submit",
            "--squares",
            squares,
            "--coordinator",
            &self.url(),
        ];
        self.ask(&arguments).code == 0
    }

    /// The state of the only run; `None` while nobody answers.
    pub fn state(&self) -> Option<String> {
        Self::state_in(&self.status()?)
    }

    /// What `census status` says; `None` while nobody answers.
    pub fn status(&self) -> Option<Outcome> {
        let arguments = [
            "census",
            "status",
            "--format",
            "tsv",
            "--coordinator",
            &self.url(),
        ];
        Some(self.ask(&arguments)).filter(|status| status.code == 0)
    }

    fn state_in(status: &Outcome) -> Option<String> {
        status.column("state").pop()
    }

    /// Waits until the run is done. Panics after a minute without a new strip.
    ///
    /// # Panics
    /// If the coordinator ends, or a minute goes by without progress.
    #[track_caller]
    pub fn until_done(&self, coordinator: &mut Background) {
        let mut best = String::new();
        loop {
            let mut state = None;
            coordinator.until("the run makes progress", || {
                let Some(status) = self.status() else {
                    return false;
                };
                let done = status.column("strips_done").concat();
                state = Self::state_in(&status);
                let moved = done != best;
                best = done;
                moved || state.as_deref() == Some("done")
            });
            if state.as_deref() == Some("done") {
                return;
            }
        }
    }

    /// Ends a coordinator as an operator would, and compares the store with a plain run: the same digest, nothing
    /// twice. Returns the log.
    ///
    /// # Panics
    /// If it does not end, or the store is another one.
    #[track_caller]
    pub fn finish(&self, mut coordinator: Background, expected: &str) -> EventLog {
        coordinator.signal("TERM");
        assert_eq!(
            coordinator.wait(Duration::from_secs(60)),
            143,
            "{}",
            coordinator.stderr()
        );
        self.verdict(expected)
    }

    /// The event log, from the store or from whoever holds it.
    #[track_caller]
    pub fn log(&self) -> EventLog {
        let arguments = [
            "census",
            "events",
            "--format",
            "tsv",
            "--store",
            &self.store,
        ];
        EventLog::of(&self.ask(&arguments).expect_code(0))
    }

    /// Waits until a row of this kind says this in its detail, in the log of a coordinator that goes on. Returns the log.
    #[track_caller]
    pub fn until_logged(&self, coordinator: &mut Background, kind: &str, says: &str) -> EventLog {
        let mut log = self.log();
        coordinator.until(&format!("`{kind}` with `{says}` in the log"), || {
            log = self.log();
            log.of_kind(kind).any(|row| row.detail.contains(says))
        });
        log
    }

    /// Compares the store, which nobody holds, with a plain run.
    #[track_caller]
    pub fn verdict(&self, expected: &str) -> EventLog {
        assert_eq!(self.scene.digest(&self.store), expected);
        let verify = ["db", "verify", "--store", &self.store];
        self.ask(&verify).expect_code(0);
        let log = self.log();
        log.assert_nothing_twice();
        log
    }
}
