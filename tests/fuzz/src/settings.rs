//! What the environment asks for.
//!
//! | variable | what | default |
//! |---|---|---|
//! | `TOADS_FUZZ_ITERATIONS` | inputs for each target | what the target says: a second or less |
//! | `TOADS_FUZZ_TARGET` | the only target; the others do nothing | – |
//! | `TOADS_FUZZ_SEED` | where the random choices begin | 1 |
//! | `TOADS_FUZZ_INPUT` | a file with one input in hexadecimal digits: that one, and nothing else | – |
//! | `TOADS_FUZZ_TRACE` | a folder: every input is written there before it is read, for those that end the process | – |

use std::path::PathBuf;

/// See the table above.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The only target that does anything.
    pub target: Option<String>,
    /// Inputs for each target, when it is not for the target to say.
    pub iterations: Option<u64>,
    /// Where the random choices begin.
    pub seed: u64,
    /// The file with the only input.
    pub input: Option<PathBuf>,
    /// The folder for inputs that end the process.
    pub trace: Option<PathBuf>,
}

impl Settings {
    /// What the variables of this process say.
    ///
    /// # Panics
    /// If one that should be a number is none.
    pub fn from_environment() -> Self {
        let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
        Self {
            target: std::env::var("TOADS_FUZZ_TARGET").ok(),
            iterations: number("TOADS_FUZZ_ITERATIONS"),
            seed: number("TOADS_FUZZ_SEED").unwrap_or(1),
            input: path("TOADS_FUZZ_INPUT"),
            trace: path("TOADS_FUZZ_TRACE"),
        }
    }
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name} is `{text}`, not a number")))
}
