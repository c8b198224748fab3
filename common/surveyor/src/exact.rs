//! Exact values, the cheapest way first.

use std::fmt;

use toads_census::{Control, NarrowClass, Reach, ReachError, Shard, narrow_bytes};
use toads_game::{GameError, Value, kind_of, notation};
use toads_strip::{Strip, Variant, hopless, one_blank};

use super::{Budget, Finding, SurveyError, Surveyor};

/// How a value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a closed form, without a look at its options.
    ClosedForm,
    /// From the positions that can be reached from it.
    Positions,
    /// From the table of its class.
    Class,
    /// By play: it equals a number plus a small infinitesimal.
    Play,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ClosedForm => "closed form",
            Self::Positions => "positions",
            Self::Class => "class",
            Self::Play => "play",
        })
    }
}

/// Different subpositions of a hopless value that is still built.
const MOST_SUBPOSITIONS: usize = 1 << 16;

/// Strips longer than this have no set of positions in words; the most squares of the kernel of the census.
const WORD: usize = 63;
const KERNEL: usize = 24;

/// Bytes a remembered position takes, with the room the map keeps.
const POSITION_BYTES: u64 = 96;

impl Budget {
    /// Positions that both the budget and a quarter of the memory allow.
    pub(super) fn remembered(&self) -> usize {
        let room = self.memory / 4 / POSITION_BYTES;
        self.positions.min(room as usize)
    }

    /// Bytes of the tables of a class.
    fn tables(&self) -> u64 {
        self.memory / 4
    }
}

impl Surveyor<'_> {
    /// The exact value, where the budget suffices.
    pub(super) fn exact(
        &mut self,
        strip: &Strip,
        control: &Control,
    ) -> Result<Option<Finding>, SurveyError> {
        if self.variant == Variant::Hopless {
            return self.hopless(strip).map(Some);
        }
        if strip.len() > WORD
            && let Some(form) = one_blank::analyse(strip)
        {
            return Ok(Some(Finding::Exact {
                value: form.to_string(),
                id: None,
                kind: None,
                how: How::ClosedForm,
            }));
        }
        if let Some(value) = self.by_narrow_class(strip)? {
            return Ok(Some(self.found(value, How::Class)));
        }
        if strip.len() <= WORD {
            match self.reach.value(strip) {
                Ok(value) => return Ok(Some(self.found(value, How::Positions))),
                // Room for the next strip.
                Err(ReachError::TooLarge { .. }) => {
                    self.reach = Reach::new(self.arena, self.budget.remembered());
                }
                Err(ReachError::TooLong { .. }) => {}
                Err(ReachError::Game(error)) => return Err(error.into()),
            }
        }
        let value = self.by_class(strip, control)?;
        Ok(value.map(|value| self.found(value, How::Class)))
    }

    fn hopless(&self, strip: &Strip) -> Result<Finding, SurveyError> {
        let form = hopless::analyse(strip);
        let integer = |n| self.arena.integer(n);
        let switch = |left, right| self.arena.canonical(&[left], &[right]);
        match form.fold(MOST_SUBPOSITIONS, integer, switch) {
            Ok(value) => Ok(self.found(value, How::ClosedForm)),
            Err(hopless::FoldError::Build(error @ GameError::ArenaFull { .. })) => {
                Err(error.into())
            }
            Err(_) => Ok(Finding::Exact {
                value: form.to_string(),
                id: None,
                kind: None,
                how: How::ClosedForm,
            }),
        }
    }

    /// Long strips with few pieces.
    fn by_narrow_class(&self, strip: &Strip) -> Result<Option<Value>, SurveyError> {
        let counts = [strip.len(), strip.toads(), strip.frogs()];
        let bytes = narrow_bytes(counts[0], counts[1], counts[2]);
        if counts[0] <= KERNEL || bytes > self.budget.tables() || bytes / 4 > self.budget.class {
            return Ok(None);
        }
        let class = NarrowClass::evaluate(self.arena, counts, bytes, self.budget.threads)?;
        Ok(class.and_then(|class| class.value(strip)))
    }

    /// Short strips, through the kernel of the census.
    fn by_class(&self, strip: &Strip, control: &Control) -> Result<Option<Value>, SurveyError> {
        let Ok(class) = strip.try_class() else {
            return Ok(None);
        };
        let size = class.size();
        if strip.len() > KERNEL || size > self.budget.class || 12 * size > self.budget.tables() {
            return Ok(None);
        }
        let is_mirrored = !class.is_computed();
        let (class, asked) = if is_mirrored {
            (class.mirror(), strip.mirror())
        } else {
            (class, strip.clone())
        };
        let shard = Shard::whole(Variant::Hop, class);
        let table =
            toads_census::kernel::evaluate(self.arena, shard, self.budget.threads, control)?;
        let value = table.value_at(class.rank(&asked));
        Ok(Some(if is_mirrored {
            self.arena.neg(value)?
        } else {
            value
        }))
    }

    pub(super) fn found(&self, value: Value, how: How) -> Finding {
        Finding::Exact {
            value: notation::display(self.arena, value),
            id: Some(self.arena.id(value)),
            kind: Some(kind_of(self.arena, value)),
            how,
        }
    }
}
