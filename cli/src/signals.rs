//! SIGINT and SIGTERM: the first asks for a drain, the second means now (promise P11).

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::signal::unix::{self, SignalKind};

use crate::failure::{Failure, Result, Signal};

/// The signals of this process.
pub(crate) struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
}

impl Signals {
    /// From here on the signals do not end the process by themselves. Needs a runtime.
    pub(crate) fn listen() -> Result<Self> {
        let listen = |kind| {
            unix::signal(kind).map_err(|error| {
                Failure::failed(format_args!("cannot listen for signals: {error}"))
            })
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    /// The next signal.
    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}

/// For work that does not wait in a runtime: notes the first signal, and ends the process when the work does not end
/// soon, or at the second one.
pub(crate) struct Stop {
    seen: Arc<AtomicU8>,
}

/// How long work may take to notice a signal.
const SOON: Duration = Duration::from_secs(3);

/// Interrupts of a program that goes on after them: each ends what is being done.
pub(crate) struct Interrupts {
    seen: Arc<AtomicUsize>,
}

impl Interrupts {
    /// Listens from here on; SIGTERM still ends the process.
    pub(crate) fn listen() -> Result<Self> {
        let wrong = |error: std::io::Error| {
            Failure::failed(format_args!("cannot listen for signals: {error}"))
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(wrong)?;
        let listen = || unix::signal(SignalKind::interrupt());
        let mut interrupt = runtime.block_on(async { listen() }).map_err(wrong)?;
        let seen = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&seen);
        std::thread::spawn(move || {
            while runtime.block_on(interrupt.recv()).is_some() {
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        Ok(Self { seen })
    }

    /// Says whether there was an interrupt since now.
    pub(crate) fn next(&self) -> impl Fn() -> bool + Clone + Send + Sync + 'static {
        let (seen, before) = (Arc::clone(&self.seen), self.seen.load(Ordering::Relaxed));
        move || seen.load(Ordering::Relaxed) != before
    }
}

impl Stop {
    /// Listens from here on. `leftover` is removed when the process has to be ended.
    pub(crate) fn listen(leftover: Option<PathBuf>) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime
            .map_err(|error| Failure::failed(format_args!("cannot listen for signals: {error}")))?;
        let mut signals = runtime.block_on(async { Signals::listen() })?;
        let seen = Arc::new(AtomicU8::new(0));
        let noted = Arc::clone(&seen);
        std::thread::spawn(move || {
            let signal = runtime.block_on(signals.next());
            let code = if signal == Signal::Interrupt {
                130
            } else {
                143
            };
            noted.store(code, Ordering::Relaxed);
            runtime.block_on(async {
                let _ = tokio::time::timeout(SOON, signals.next()).await;
            });
            if let Some(leftover) = leftover {
                let _ = std::fs::remove_dir_all(leftover);
            }
            std::process::exit(i32::from(code));
        });
        Ok(Self { seen })
    }

    /// Ends the work when a signal was seen.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.signal().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// How the verb ends, when a signal was seen.
    pub(crate) fn failure(&self, note: &str) -> Option<Failure> {
        self.signal().map(|signal| Failure::Stopped {
            signal,
            note: note.to_owned(),
        })
    }

    fn signal(&self) -> Option<Signal> {
        match self.seen.load(Ordering::Relaxed) {
            130 => Some(Signal::Interrupt),
            143 => Some(Signal::Terminate),
            _ => None,
        }
    }
}
