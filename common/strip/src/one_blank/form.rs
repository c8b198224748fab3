//! The closed form: the lemmas that settle a strip, from the strip inwards.

/// The value of a strip with exactly one blank; made by [`analyse`](super::analyse).
///
/// The steps are of Lemmas 4.8 and 4.9, each with the next inside: where it is not the last, x is *minus* the value of the next one,
/// which speaks of the mirror image. `==` compares the lemmas, not the values: ∗ by Lemma 4.4 is not ∗ by Lemma 4.5.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OneBlank {
    /// Whether the first lemma speaks of the mirror image of the strip: the value is minus what it says.
    pub(super) mirrored: bool,
    pub(super) steps: Vec<Step>,
    pub(super) end: End,
}

/// A lemma that leads to another position; a, b, c as in the [table](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Lemma 4.8, L̄ Tᵃ . (TF)ᵇ T Fᶜ R̄ = {a−1 | Oᵇ(x)}.
    Guarded {
        /// Toads, at least 1.
        a: u64,
        /// Pairs.
        b: u64,
        /// Frogs, at least 2.
        c: u64,
    },
    /// Lemma 4.9, L̄ Tᵃ . F (TF)ᵇ T Fᶜ R̄ = {{a−2 | Oᵇ⁺¹(x)} | 0}.
    Facing {
        /// Toads, at least 2.
        a: u64,
        /// Pairs.
        b: u64,
        /// Frogs, at least 2.
        c: u64,
    },
}

/// The lemma that ends it; a, b as in the [table](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Lemma 4.3: only jumps, 0.
    DeathLeap,
    /// Lemma 4.2: L̄ Tᵃ . = a.
    Run {
        /// Toads, at least 1.
        a: u64,
    },
    /// Lemma 4.4: L̄ T . F R̄ = ∗.
    Singles,
    /// Lemma 4.5: L̄ Tᵃ . Fᵇ R̄ = ∗.
    Runs {
        /// Toads, at least 2.
        a: u64,
        /// Frogs, at least 2.
        b: u64,
    },
    /// Lemma 4.6: L̄ Tᵃ . (TF)ᵇ = {a−1 | 1/2ᵇ⁻¹}.
    Guarded {
        /// Toads, at least 1.
        a: u64,
        /// Pairs, at least 1.
        b: u64,
    },
    /// Lemma 4.7: L̄ Tᵃ . F (TF)ᵇ = {{a−2 | 1/2ᵇ} | 0}.
    Facing {
        /// Toads, at least 2.
        a: u64,
        /// Pairs.
        b: u64,
    },
}

impl Step {
    /// The number of the lemma in the paper.
    pub fn lemma(self) -> &'static str {
        match self {
            Self::Guarded { .. } => "4.8",
            Self::Facing { .. } => "4.9",
        }
    }

    /// k in the Oᵏ(x) that it wraps round the next position.
    pub fn zeros(self) -> u64 {
        match self {
            Self::Guarded { b, .. } => b,
            Self::Facing { b, .. } => b + 1,
        }
    }
}

impl End {
    /// The number of the lemma in the paper.
    pub fn lemma(self) -> &'static str {
        match self {
            Self::DeathLeap => "4.3",
            Self::Run { .. } => "4.2",
            Self::Singles => "4.4",
            Self::Runs { .. } => "4.5",
            Self::Guarded { .. } => "4.6",
            Self::Facing { .. } => "4.7",
        }
    }
}

impl OneBlank {
    /// The lemmas that lead from position to position; the first speaks of the strip, or of its mirror image.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The lemma that ends it.
    pub fn end(&self) -> End {
        self.end
    }

    /// Whether the first lemma speaks of the mirror image of the strip.
    pub fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// Whether the last lemma does.
    pub(super) fn end_is_mirrored(&self) -> bool {
        self.mirrored != (self.steps.len() % 2 == 1)
    }
}

impl std::ops::Neg for OneBlank {
    type Output = Self;

    /// The negative: the value of the mirror image.
    fn neg(self) -> Self {
        Self {
            mirrored: !self.mirrored,
            ..self
        }
    }
}
