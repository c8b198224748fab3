//! `TOADS_FAULTS` for a process, and the tokens that bound how often a fault strikes.

use std::fs;
use std::path::PathBuf;

use toads_fault::Point;
use toads_tests::Scene;

/// Rules for one process; the same may be given to many.
#[derive(Clone, Debug, Default)]
pub struct Faults(Vec<String>);

impl Faults {
    /// Nothing fails.
    pub fn none() -> Self {
        Self::default()
    }

    /// One more rule: `abort`, `panic`, `delay:MS`, `error:full` …, perhaps with `,at=K`.
    #[must_use]
    pub fn at(mut self, point: Point, action: &str) -> Self {
        self.0.push(format!("{point}={action}"));
        self
    }

    /// One more rule that strikes once for each token.
    #[must_use]
    pub fn spending(self, point: Point, action: &str, tokens: &Tokens) -> Self {
        self.at(
            point,
            &format!("{action},tokens={}", tokens.folder.display()),
        )
    }

    /// The value of the variable; `None` without a rule.
    pub fn variable(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(";"))
    }
}

/// A folder of tokens.
#[derive(Debug)]
pub struct Tokens {
    folder: PathBuf,
}

impl Tokens {
    /// So many, in a new folder.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn new(scene: &Scene, name: &str, count: usize) -> Self {
        let folder = scene.path(name);
        fs::create_dir(&folder).expect("a new folder");
        for token in 0..count {
            fs::write(folder.join(token.to_string()), "").expect("a token");
        }
        Self { folder }
    }

    /// How many are left: the proof that a fault struck, or that it did not yet.
    ///
    /// # Panics
    /// If the folder is gone.
    pub fn left(&self) -> usize {
        fs::read_dir(&self.folder)
            .expect("the folder of tokens")
            .count()
    }
}
