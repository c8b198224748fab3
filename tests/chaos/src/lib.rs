//! Chaos: real `toads` processes that are killed, stopped, cut off, starved of disk, and lied to by their files.
//!
//! Every scenario first runs without the fault ([`baseline`]), then with it, proves that the fault struck (a token is gone, a
//! signal ended the process, the event log says so), and compares the digest of the two stores. [`EventLog`] proves
//! that nothing committed was computed again. `README.md` lists the scenarios, the promises they prove and what they found.
//!
//! | module | what lives there |
//! |---|---|
//! | [`cluster`] | a coordinator and its workers, as processes |
//! | [`faults`] | `TOADS_FAULTS` and the tokens that bound it |
//! | [`log`] | what the event log proves |
//! | [`disk`] | a small file system that fills up |
//! | [`network`] | hosts of their own, with cables that can be cut |

pub mod cluster;
pub mod disk;
pub mod faults;
pub mod log;
pub mod network;

use std::time::Duration;

use toads_tests::Scene;

pub use cluster::Cluster;
pub use disk::SmallDisk;
pub use faults::{Faults, Tokens};
pub use log::EventLog;
pub use network::{Host, Network};

/// Nothing may take longer than this without a sign of progress.
pub const NO_HANG: Duration = Duration::from_secs(60);

/// The digest of a plain run over the same squares: one process, nothing goes wrong.
#[track_caller]
pub fn baseline(scene: &Scene, squares: &str) -> String {
    let store = format!("baseline-{squares}.db");
    if !scene.path(&store).exists() {
        let arguments = ["census", "run", "--squares", squares, "--store", &store];
        scene.run(&arguments).expect_code(0);
    }
    scene.digest(&store)
}

/// Prints why a scenario cannot be played on this machine.
pub fn skipped(scenario: &str, why: &str) {
    println!("skipped: {scenario}: {why}");
}
