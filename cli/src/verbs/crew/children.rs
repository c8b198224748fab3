//! Worker processes. They end with us, however we end: each reads a pipe that only we hold open.

use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use toads_coordinator::Coordinator;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::CrewPlan;
use crate::failure::{Failure, Result, plain};
use crate::{console, memory};

/// A worker that dies this young counts as one that cannot work here.
const YOUNG: Duration = Duration::from_secs(10);

/// So many of those in a row, and a place stays empty.
const PATIENCE: u32 = 3;

/// All of them.
pub(crate) struct Children {
    places: Vec<Place>,
    url: String,
    name: &'static str,
    arguments: Vec<String>,
    verbosity: Option<String>,
}

/// A place for one process; it is filled again when the process dies.
struct Place {
    number: usize,
    child: Option<Child>,
    started: Instant,
    died_young: u32,
    peak: u64,
}

impl Children {
    /// Starts as many as asked for.
    pub(crate) fn start(plan: &CrewPlan<'_>, url: &str) -> Result<Self> {
        let memory = (plan.memory / plan.workers as u64).max(64 << 20);
        let mut arguments = vec![
            format!("--threads={}", plan.threads),
            format!("--memory={memory}"),
        ];
        arguments.push(format!("--grace={}ms", plan.grace.as_millis()));
        let globals = plan.globals;
        // Our own lines are enough, unless somebody wants to see more.
        let verbosity = if globals.verbose == 0 && globals.log_filter.is_none() {
            Some("warn".to_owned())
        } else {
            globals.log_filter.clone()
        };
        let mut children = Self {
            places: Vec::new(),
            url: url.to_owned(),
            name: plan.name,
            arguments,
            verbosity,
        };
        for number in 1..=plan.workers {
            let child = Some(children.spawn(number)?);
            children.places.push(Place {
                number,
                child,
                started: Instant::now(),
                died_young: 0,
                peak: 0,
            });
        }
        Ok(children)
    }

    fn spawn(&self, number: usize) -> Result<Child> {
        let cannot = |error: std::io::Error| {
            Failure::Failed(format!("cannot start a worker process: {}", plain(&error)))
        };
        let mut command = Command::new(std::env::current_exe().map_err(cannot)?);
        command
            .arg("worker")
            .arg(format!("--coordinator={}", self.url))
            .arg(format!("--name={}-{number}", self.name));
        command.arg("--parent-pipe").args(&self.arguments);
        if let Some(filter) = &self.verbosity {
            command.arg(format!("--log-filter={filter}"));
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(cannot)?;
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(async move {
                let mut lines = BufReader::new(stderr).lines();
                while let Ok(Some(line)) = lines.next_line().await {
                    console::line(&line);
                }
            });
        }
        Ok(child)
    }

    /// Resolves when none is left and none can be started again.
    pub(crate) async fn lost(&mut self, coordinator: &Coordinator) -> Failure {
        loop {
            let (at, pid, status) = self.next_end().await;
            let how = status.map_or_else(|| "ended".to_owned(), |status| status.to_string());
            coordinator.process_ended(pid, &how);
            let place = &mut self.places[at];
            let number = place.number;
            // 5: the builds do not fit; 2: it does not understand us. Neither gets better by trying again.
            let is_hopeless = status
                .and_then(|status| status.code())
                .is_some_and(|code| code == 5 || code == 2);
            place.died_young = if place.started.elapsed() < YOUNG {
                place.died_young + 1
            } else {
                1
            };
            if is_hopeless || place.died_young > PATIENCE {
                console::warning(&format!(
                    "worker {number} ended ({how}) and is not started again"
                ));
                if self.places.iter().all(|place| place.child.is_none()) {
                    return Failure::failed(
                        "no worker process is left; see the lines above, then run the command again",
                    );
                }
                continue;
            }
            console::warning(&format!(
                "worker {number} ended ({how}); another one takes its place"
            ));
            match self.spawn(number) {
                Ok(child) => {
                    let place = &mut self.places[at];
                    (place.child, place.started) = (Some(child), Instant::now());
                }
                Err(failure) => return failure,
            }
        }
    }

    /// The next process to end. Can be dropped at any time: who has ended stays ended.
    async fn next_end(&mut self) -> (usize, u32, Option<ExitStatus>) {
        loop {
            for (at, place) in self.places.iter_mut().enumerate() {
                let Some(child) = &mut place.child else {
                    continue;
                };
                let pid = child.id().unwrap_or(0);
                let ended = match child.try_wait() {
                    Ok(None) => continue,
                    Ok(Some(status)) => Some(status),
                    Err(_) => None,
                };
                place.child = None;
                return (at, pid, ended);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until all have ended, at most so long.
    pub(crate) async fn gone(&mut self, grace: Duration) {
        let all = async {
            for place in &mut self.places {
                if let Some(child) = &mut place.child {
                    // `wait` would close the pipe at once, and that means: stop now.
                    while matches!(child.try_wait(), Ok(None)) {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                    place.child = None;
                }
            }
        };
        let _ = tokio::time::timeout(grace + Duration::from_secs(1), all).await;
    }

    /// Ends whoever is left.
    pub(crate) async fn kill(&mut self) {
        for place in &mut self.places {
            if let Some(mut child) = place.child.take() {
                drop(child.stdin.take());
                if tokio::time::timeout(Duration::from_secs(1), child.wait())
                    .await
                    .is_err()
                {
                    let _ = child.kill().await;
                }
            }
        }
    }

    /// The most memory they had in use, together.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.places.iter().map(|place| place.peak).sum()
    }

    /// Looks how much they have in use.
    pub(crate) fn look_at_memory(&mut self) {
        for place in &mut self.places {
            let pid = place.child.as_ref().and_then(Child::id);
            if let Some(peak) = pid.and_then(memory::peak_of) {
                place.peak = place.peak.max(peak);
            }
        }
    }
}
