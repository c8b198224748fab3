//! Places where a test makes a process fail: killed, stopped, slow, or refused by the disk.
//!
//! The code calls [`pass`] at each [`Point`]. Nothing happens there unless the environment variable `TOADS_FAULTS` says
//! so when the process starts:
//!
//! ```text
//! TOADS_FAULTS='store.marker.after=abort,tokens=/tmp/t; worker.stream=delay:20'
//! ```
//!
//! Rules stand between semicolons. A rule is a point, an [`Action`], and conditions:
//!
//! - `at=K`: only the K-th time that this process passes the point, counted from 1;
//! - `on=WHAT`: only when the point says WHAT: `worker.evaluate` says the shard, `coordinator.logged` the event's number;
//! - `tokens=FOLDER`: only as often as there are files in FOLDER. Each time takes one away, in one step of the file system,
//!   so processes may share a folder, and a process that is started again does not die for ever. What is left in it tells
//!   how often the fault struck.
//!
//! The points are in the binary that users run: without the variable one costs an atomic load
//! (`docs/decisions/0013-faults-by-environment.md`). Whoever may set a variable of a process may kill it, too.

mod plan;
mod point;

use std::io;
use std::sync::OnceLock;

pub use plan::{Action, Rule};
pub use point::Point;

use plan::Plan;

/// The variable that says what fails.
pub const VARIABLE: &str = "TOADS_FAULTS";

static PLAN: OnceLock<Option<Plan>> = OnceLock::new();

fn plan() -> Option<&'static Plan> {
    PLAN.get_or_init(|| {
        std::env::var(VARIABLE)
            .ok()
            .and_then(|text| Plan::parse(&text).ok())
    })
    .as_ref()
}

/// Reads the variable: for the start of a program, before any point is passed. Returns its rules, none without it; the
/// error says what does not make sense.
pub fn check() -> Result<&'static [Rule], String> {
    let Ok(text) = std::env::var(VARIABLE) else {
        return Ok(&[]);
    };
    Plan::parse(&text).map_err(|what| format!("{VARIABLE}: {what}"))?;
    Ok(plan().map_or(&[], |plan| plan.rules()))
}

/// Does here what the variable says. May abort, panic, or block the thread.
#[inline]
pub fn pass(point: Point) {
    pass_with(point, String::new);
}

/// The same; rules may ask for a certain `what`, and whoever is told that we stopped here is told it, too.
#[inline]
pub fn pass_with(point: Point, what: impl FnOnce() -> String) {
    if let Some(plan) = plan() {
        // An error here has nobody to go to; `Plan::parse` refuses such rules.
        let _ = plan.pass(point, what);
    }
}

/// The same where the disk may fail: an error that the variable asks for is what the system would have said.
#[inline]
pub fn pass_or_fail(point: Point) -> io::Result<()> {
    plan().map_or(Ok(()), |plan| plan.pass(point, String::new))
}
