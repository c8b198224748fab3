//! The lemmas on strips with one blank, instance by instance, against values found by moves alone.
//!
//! L̄ runs through the empty word and all words of at most `bound` letters that end with `F`, R̄ through their mirror images; a ≤ 6,
//! b ≤ 4, c ≤ 4.

use toads_census::{Control, EvaluateError, Shard, kernel};
use toads_game::{Arena, Dyadic, GameError, Value};
use toads_strip::one_blank::{self, FoldError, Number};
use toads_strip::{Class, Player, Square, Strip, Variant};

use super::plain::Plain;
use crate::claim::Scope;
use crate::finding::{Finding, Measure, Tested};
use crate::moves::shown;

const MOST_TOADS: u32 = 6;
const MOST_PAIRS: u32 = 4;
const MOST_FROGS: u32 = 4;

/// What a test of a lemma is given: values by moves, and what was found so far.
struct Bench<'a> {
    plain: Plain<'a>,
    tested: Tested,
    /// L̄ and R̄, those of this share.
    words: Vec<[String; 2]>,
}

impl Bench<'_> {
    fn value(&mut self, text: &str) -> Result<Value, GameError> {
        self.plain.value(&read(text))
    }

    fn integer(&self, n: u32) -> Result<Value, GameError> {
        self.plain.arena.integer(n.into())
    }

    /// 1/2ᵏ.
    fn reciprocal(&self, k: u32) -> Result<Value, GameError> {
        self.plain.arena.number(Dyadic::new(1, k)?)
    }

    fn game(&self, left: Value, right: Value) -> Result<Value, GameError> {
        self.plain.arena.canonical(&[left], &[right])
    }

    /// Oᵏ(x) = {0 | Oᵏ⁻¹(x)}.
    fn zeros(&self, k: u32, x: Value) -> Result<Value, GameError> {
        (0..k).try_fold(x, |x, _| self.game(Value::ZERO, x))
    }

    fn case(&mut self, text: &str, claimed: Value) -> Result<(), GameError> {
        let strip = read(text);
        let value = self.plain.value(&strip)?;
        let arena = self.plain.arena;
        self.tested
            .case(value == claimed, || shown(arena, &strip, value));
        Ok(())
    }
}

/// The strip; words and powers of these lemmas are always strips.
fn read(text: &str) -> Strip {
    Strip::parse(text).expect("a word with powers")
}

/// Words over T and F of at most so many letters.
fn words(letters: u32) -> impl Iterator<Item = String> {
    (0..=letters).flat_map(|length| {
        (0_u32..1 << length).map(move |bits| {
            let letter = |at: u32| if bits >> at & 1 == 0 { 'F' } else { 'T' };
            (0..length).map(letter).collect()
        })
    })
}

/// L̄ and R̄, in all combinations.
fn surroundings(letters: u32) -> Vec<[String; 2]> {
    let left: Vec<String> = words(letters)
        .filter(|word| word.is_empty() || word.ends_with('F'))
        .collect();
    let right: Vec<String> = words(letters)
        .filter(|word| word.is_empty() || word.starts_with('T'))
        .collect();
    let all = left
        .iter()
        .flat_map(|l| right.iter().map(move |r| [l.clone(), r.clone()]));
    all.collect()
}

/// Runs a test on all surroundings; each thread gets a share of them, with an arena of its own.
fn bench(
    scope: &Scope<'_>,
    test: impl Fn(&mut Bench<'_>) -> Result<(), GameError> + Sync,
) -> Finding {
    let all = surroundings(scope.bound);
    let run = |words: &[[String; 2]]| {
        let arena = Arena::new();
        let mut bench = Bench {
            plain: Plain::new(&arena),
            tested: Tested::default(),
            words: words.to_vec(),
        };
        test(&mut bench).map(|()| bench.tested)
    };
    let run = &run;
    let shares = all.chunks(all.len().div_ceil(scope.threads));
    let found: Result<Vec<Tested>, GameError> = std::thread::scope(|scope| {
        let threads: Vec<_> = shares
            .map(|words| scope.spawn(move || run(words)))
            .collect();
        let joined = threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        joined.collect()
    });
    let finding = match found {
        Ok(found) => found
            .into_iter()
            .reduce(Tested::then)
            .unwrap_or_default()
            .finding(scope.bound),
        Err(error) => Finding::undecided(scope.bound, error),
    };
    finding.measured(Measure::Letters)
}

/// Lemma 4.2, P FF . Q = . Q.
pub(super) fn double_frog(scope: &Scope<'_>) -> Finding {
    let words: Vec<String> = words(scope.bound).collect();
    let one = Scope {
        threads: 1,
        ..*scope
    };
    bench(&one, |bench| {
        for p in &words {
            for q in &words {
                let claimed = bench.value(&format!(".{q}"))?;
                bench.case(&format!("{p} FF . {q}"), claimed)?;
            }
        }
        Ok(())
    })
}

/// Lemma 4.2, L̄ Tᵃ . = a.
pub(super) fn run(scope: &Scope<'_>) -> Finding {
    bench(scope, |bench| {
        for [l, _] in bench
            .words
            .clone()
            .into_iter()
            .filter(|[_, r]| r.is_empty())
        {
            for a in 0..=MOST_TOADS {
                let claimed = bench.integer(a)?;
                bench.case(&format!("{l} T^{a} ."), claimed)?;
            }
        }
        Ok(())
    })
}

/// Lemma 4.4, L̄ T . F R̄ = ∗.
pub(super) fn singles(scope: &Scope<'_>) -> Finding {
    bench(scope, |bench| {
        let star = bench.game(Value::ZERO, Value::ZERO)?;
        for [l, r] in bench.words.clone() {
            bench.case(&format!("{l} T . F {r}"), star)?;
        }
        Ok(())
    })
}

/// Lemma 4.5, L̄ Tᵃ . Fᵇ R̄ = ∗ for a, b ≥ 2.
pub(super) fn runs(scope: &Scope<'_>) -> Finding {
    bench(scope, |bench| {
        let star = bench.game(Value::ZERO, Value::ZERO)?;
        for [l, r] in bench.words.clone() {
            for (a, b) in pairs(2..=MOST_TOADS, 2..=MOST_FROGS) {
                bench.case(&format!("{l} T^{a} . F^{b} {r}"), star)?;
            }
        }
        Ok(())
    })
}

/// Lemma 4.6, L̄ Tᵃ . (TF)ᵇ = {a−1 | 1/2ᵇ⁻¹}.
pub(super) fn guarded_end(scope: &Scope<'_>) -> Finding {
    bench(scope, |bench| {
        for [l, _] in bench
            .words
            .clone()
            .into_iter()
            .filter(|[_, r]| r.is_empty())
        {
            for (a, b) in pairs(1..=MOST_TOADS, 1..=MOST_PAIRS) {
                let claimed = bench.game(bench.integer(a - 1)?, bench.reciprocal(b - 1)?)?;
                bench.case(&format!("{l} T^{a} . (TF)^{b}"), claimed)?;
            }
        }
        Ok(())
    })
}

/// Lemma 4.7, L̄ Tᵃ . F (TF)ᵇ = {{a−2 | 1/2ᵇ} | 0}.
pub(super) fn facing_end(scope: &Scope<'_>) -> Finding {
    bench(scope, |bench| {
        for [l, _] in bench
            .words
            .clone()
            .into_iter()
            .filter(|[_, r]| r.is_empty())
        {
            for (a, b) in pairs(2..=MOST_TOADS, 0..=MOST_PAIRS) {
                let threat = bench.game(bench.integer(a - 2)?, bench.reciprocal(b)?)?;
                let claimed = bench.game(threat, Value::ZERO)?;
                bench.case(&format!("{l} T^{a} . F (TF)^{b}"), claimed)?;
            }
        }
        Ok(())
    })
}

/// Lemma 4.8.
pub(super) fn guarded(scope: &Scope<'_>) -> Finding {
    guarded_by(scope, 0)
}

/// Lemma 4.8 with Oᵇ⁺ᵉ in the place of Oᵇ.
fn guarded_by(scope: &Scope<'_>, extra: u32) -> Finding {
    bench(scope, |bench| {
        for [l, r] in bench.words.clone() {
            for (a, b) in pairs(1..=MOST_TOADS, 0..=MOST_PAIRS) {
                for c in 2..=MOST_FROGS {
                    let x = bench.value(&format!("{l} T^{a} F (TF)^{b} T . F^{} {r}", c - 1))?;
                    let right = bench.zeros(b + extra, x)?;
                    let claimed = bench.game(bench.integer(a - 1)?, right)?;
                    bench.case(&format!("{l} T^{a} . (TF)^{b} T F^{c} {r}"), claimed)?;
                }
            }
        }
        Ok(())
    })
}

/// Lemma 4.9.
pub(super) fn facing(scope: &Scope<'_>) -> Finding {
    bench(scope, |bench| {
        for [l, r] in bench.words.clone() {
            for (a, b) in pairs(2..=MOST_TOADS, 0..=MOST_PAIRS) {
                for c in 2..=MOST_FROGS {
                    let (a1, b1, c1) = (a - 1, b + 1, c - 1);
                    let x = bench.value(&format!("{l} T^{a1} F (TF)^{b1} T . F^{c1} {r}"))?;
                    let right = bench.zeros(b + 1, x)?;
                    let threat = bench.game(bench.integer(a - 2)?, right)?;
                    let claimed = bench.game(threat, Value::ZERO)?;
                    bench.case(&format!("{l} T^{a} . F (TF)^{b} T F^{c} {r}"), claimed)?;
                }
            }
        }
        Ok(())
    })
}

fn pairs(
    a: std::ops::RangeInclusive<u32>,
    b: std::ops::RangeInclusive<u32>,
) -> impl Iterator<Item = (u32, u32)> {
    a.flat_map(move |a| b.clone().map(move |b| (a, b)))
}

/// Lemma 4.1: no two adjacent blanks, and Left can only jump: the value is at most 0.
pub(super) fn one_sided_death_leap(scope: &Scope<'_>) -> Finding {
    by_kernel(
        scope,
        |_| true,
        |arena, strip, value| {
            let blanks = strip.windows(2).any(|pair| pair == [Square::Blank; 2]);
            (!blanks && only_jumps(strip, Player::Left)).then(|| arena.leq(value, Value::ZERO))
        },
    )
}

/// Lemma 4.3: one blank, and both players can only jump: 0.
pub(super) fn death_leap(scope: &Scope<'_>) -> Finding {
    by_kernel(
        scope,
        |class| class.blanks() == 1,
        |_, strip, value| {
            let both = Player::BOTH
                .into_iter()
                .all(|player| only_jumps(strip, player));
            both.then_some(value == Value::ZERO)
        },
    )
}

/// Theorem 1: the closed form of every strip with one blank.
pub(super) fn theorem_1(scope: &Scope<'_>) -> Finding {
    by_kernel(
        scope,
        |class| class.blanks() == 1,
        |arena, strip, value| {
            let form = one_blank::analyse(strip)?;
            Some(built(arena, &form) == Ok(value))
        },
    )
}

/// The canonical form of a closed form.
fn built(arena: &Arena, form: &one_blank::OneBlank) -> Result<Value, FoldError<GameError>> {
    let number = |number: Number| match number.as_fraction() {
        Some((numerator, k)) => arena.number(Dyadic::new(numerator, k)?),
        None => Err(GameError::NumberOutOfRange {
            what: number.to_string(),
        }),
    };
    form.fold(u64::MAX, number, |left, right| {
        arena.canonical(&[left], &[right])
    })
}

fn only_jumps(strip: &Strip, player: Player) -> bool {
    strip
        .legal_moves(Variant::Hop, player)
        .all(|step| step.is_jump)
}

/// Tests a statement about each strip of some classes, with its value from the census kernel; `None` where it does not speak of the strip.
fn by_kernel(
    scope: &Scope<'_>,
    class: impl Fn(Class) -> bool,
    holds: impl Fn(&Arena, &Strip, Value) -> Option<bool>,
) -> Finding {
    let arena = Arena::with_capacity_bytes(scope.memory / 2);
    let mut tested = Tested::default();
    let all = (1..=scope.bound as u8).flat_map(Class::all);
    let done = all.filter(|&of| class(of)).try_for_each(|class| {
        let shard = Shard::whole(Variant::Hop, class);
        let values = kernel::evaluate(&arena, shard, scope.threads, &Control::default())?;
        for (strip, rank) in class.strips().zip(0..) {
            let value = values.value_at(rank);
            if let Some(as_claimed) = holds(&arena, &strip, value) {
                tested.case(as_claimed, || shown(&arena, &strip, value));
            }
        }
        Ok::<_, EvaluateError>(())
    });
    match done {
        Ok(()) => tested.finding(scope.bound),
        Err(error) => Finding::undecided(scope.bound, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    #[test]
    fn what_a_lemma_does_not_say_is_refuted() {
        let finding = guarded_by(&Scope::to(0), 1);
        assert_eq!(finding.verdict, Verdict::Refuted, "{finding}");
        assert_eq!(guarded(&Scope::to(0)).verdict, Verdict::Holds);
        // With two adjacent blanks a leap need not be death.
        let finding = by_kernel(
            &Scope::to(6),
            |_| true,
            |arena, strip, value| {
                only_jumps(strip, Player::Left).then(|| arena.leq(value, Value::ZERO))
            },
        );
        assert_eq!(finding.verdict, Verdict::Refuted, "{finding}");
    }
}
