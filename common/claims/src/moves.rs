//! The value of every hopless strip from its moves alone, as the arena of canonical forms finds it.

use rustc_hash::FxHashMap;
use toads_census::{Control, EvaluateError, Shard, kernel};
use toads_game::{Arena, GameError, Value};
use toads_strip::hopless::{ClosedForm, FoldError};
use toads_strip::{Class, Strip, Variant};

use crate::claim::Scope;
use crate::finding::{Finding, Tested};

/// Shows every strip of 1 to `squares` squares with its value to `visit`; fewer squares first.
pub(crate) fn by_moves(
    arena: &Arena,
    squares: u32,
    threads: usize,
    mut visit: impl FnMut(&Strip, Value) -> Result<(), GameError>,
) -> Result<(), EvaluateError> {
    let control = Control::default();
    for class in (1..=squares as u8).flat_map(Class::all) {
        let shard = Shard::whole(Variant::Hopless, class);
        let values = kernel::evaluate_by_moves(arena, shard, threads, &control)?;
        for (strip, rank) in class.strips().zip(0..) {
            visit(&strip, values.value_at(rank))?;
        }
    }
    Ok(())
}

/// Tests a statement about each strip and its value: `None` where the statement does not speak of the strip.
pub(crate) fn each_by_moves(
    scope: &Scope<'_>,
    holds: impl Fn(&Arena, &Strip, Value) -> Option<bool>,
) -> Finding {
    let arena = Arena::new();
    let mut tested = Tested::default();
    let done = by_moves(&arena, scope.bound, scope.threads, |strip, value| {
        if let Some(as_claimed) = holds(&arena, strip, value) {
            tested.case(as_claimed, || shown(&arena, strip, value));
        }
        Ok(())
    });
    match done {
        Ok(()) => tested.finding(scope.bound),
        Err(error) => Finding::undecided(scope.bound, error),
    }
}

/// `T.F = *`.
pub(crate) fn shown(arena: &Arena, strip: &Strip, value: Value) -> String {
    format!("{strip} = {}", toads_game::notation::display(arena, value))
}

/// Canonical forms of closed forms in an arena; each is built once.
pub(crate) struct Forms<'a> {
    arena: &'a Arena,
    known: FxHashMap<ClosedForm, Value>,
}

impl<'a> Forms<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            known: FxHashMap::default(),
        }
    }

    /// The value of the arena that a closed form stands for.
    pub(crate) fn value(&mut self, form: ClosedForm) -> Result<Value, GameError> {
        if let Some(&value) = self.known.get(&form) {
            return Ok(value);
        }
        let built = form.fold(
            usize::MAX,
            |integer| self.arena.integer(integer),
            |left, right| self.arena.canonical(&[left], &[right]),
        );
        let value = match built {
            Ok(value) => value,
            Err(FoldError::Build(error)) => return Err(error),
            Err(FoldError::TooLarge(error)) => unreachable!("no limit was set: {error}"),
        };
        self.known.insert(form, value);
        Ok(value)
    }
}
