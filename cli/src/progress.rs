//! How far it is: a bar on a terminal, a log line every 30 s elsewhere.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Globals;
use crate::console;

/// How often a line is logged where no bar can be drawn.
const EVERY: Duration = Duration::from_secs(30);

/// The progress of one piece of work.
pub(crate) struct Progress {
    what: &'static str,
    draw: bool,
    bar: Option<ProgressBar>,
    quiet: bool,
    next_line: Instant,
}

impl Progress {
    /// A bar if there is a terminal and nobody minds; the first log line comes after half a minute.
    pub(crate) fn new(globals: &Globals, what: &'static str) -> Self {
        let quiet = globals.quiet > 0;
        let draw = console::can_draw() && !globals.no_progress && !quiet;
        Self {
            what,
            draw,
            bar: None,
            quiet,
            next_line: Instant::now() + EVERY,
        }
    }

    /// Shows where it is; cheap enough to be called all the time.
    pub(crate) fn show(&mut self, done: u64, total: u64, text: &str) {
        if self.draw {
            let bar = self.bar.get_or_insert_with(|| bar(self.what));
            bar.set_length(total.max(1));
            bar.set_position(done);
            bar.set_message(text.to_owned());
        } else if !self.quiet && Instant::now() >= self.next_line {
            self.next_line = Instant::now() + EVERY;
            let percent = done as f64 * 100.0 / total.max(1) as f64;
            tracing::info!(target: "progress", done, total, "{} {percent:.1}%: {text}", self.what);
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
            console::bars().remove(&bar);
        }
    }
}

fn bar(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent:>3}% {wide_msg}");
    let style = style
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    console::bars().add(ProgressBar::new(1).with_style(style).with_prefix(what))
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
