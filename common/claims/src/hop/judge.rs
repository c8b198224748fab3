//! Two ways to decide what a strip is worth: its canonical form, and play.

use toads_census::{Control, NarrowClass, Reach, Shard, kernel, narrow_bytes};
use toads_game::{Arena, Dyadic, Relation, Value, notation};
use toads_strip::{Strip, Variant};

use super::play::Play;
use crate::claim::Scope;
use crate::compare::Comparer;

/// Bytes that a remembered position takes, on the way to a canonical form or in play.
const POSITION_BYTES: u64 = 64;

/// From so many strips on, the kernel of the census is quicker with a whole class than positions one by one.
const KERNEL_FROM: u64 = 500_000;

/// The most squares of the kernel.
const KERNEL_SQUARES: usize = 24;

/// From so many squares on, the table of a class is the quicker way, if the class is small enough.
const NARROW_FROM: usize = KERNEL_SQUARES;

/// With so few blanks most of a class cannot be reached, or is behind walls.
const FEW_BLANKS: usize = 3;

/// An arena with half of the memory that a check may take; positions get the other half.
pub(super) fn arena(scope: &Scope<'_>) -> Arena {
    Arena::with_capacity_bytes(scope.memory / 2)
}

/// Decides by canonical form and by play.
pub(super) struct Judge<'a> {
    pub(super) arena: &'a Arena,
    reach: Reach<'a>,
    play: Play<'a>,
    comparer: Option<&'a dyn Comparer>,
    /// The same for the kernel, which gives back what it took.
    kernel_memory: u64,
    threads: usize,
}

impl<'a> Judge<'a> {
    pub(super) fn new(arena: &'a Arena, scope: &'a Scope<'_>) -> Self {
        let positions = (scope.memory / 2 / POSITION_BYTES) as usize;
        Self {
            arena,
            reach: Reach::new(arena, positions / 2),
            play: Play::new(arena, positions / 2),
            comparer: scope.comparer,
            kernel_memory: scope.memory / 2,
            threads: scope.threads,
        }
    }

    /// The canonical form; the error says why there is none.
    pub(super) fn value(&mut self, strip: &Strip) -> Result<Value, String> {
        let counts = [strip.len(), strip.toads(), strip.frogs()];
        let table = narrow_bytes(counts[0], counts[1], counts[2]);
        if counts[0] > NARROW_FROM && table <= self.kernel_memory {
            let class = NarrowClass::evaluate(self.arena, counts, table, self.threads);
            let class = class.map_err(|error| error.to_string())?;
            let value = class.and_then(|class| class.value(strip));
            return value.ok_or_else(|| "the table of the class was not made".to_owned());
        }
        if strip.blanks() > FEW_BLANKS
            && let Some(value) = self.by_kernel(strip)?
        {
            return Ok(value);
        }
        let class = class_size(strip);
        if strip.blanks() > FEW_BLANKS && class > 4.0 * self.reach.limit() as f64 {
            return Err(format!(
                "{} is one of {class:.1e} strips of its class, too many for the memory allowed",
                strip.compact()
            ));
        }
        match self.reach.value(strip) {
            Ok(value) => Ok(value),
            Err(error) => {
                // Room for the next strip.
                self.reach = Reach::new(self.arena, self.reach.limit());
                Err(error.to_string())
            }
        }
    }

    /// Through the table of its class, where the kernel is the quicker way and there is room for it.
    fn by_kernel(&self, strip: &Strip) -> Result<Option<Value>, String> {
        let Ok(class) = strip.try_class() else {
            return Ok(None);
        };
        let bytes = 3 * kernel::table_bytes(Shard::whole(Variant::Hop, class));
        if strip.len() > KERNEL_SQUARES || class.size() < KERNEL_FROM || bytes > self.kernel_memory
        {
            return Ok(None);
        }
        let is_mirrored = !class.is_computed();
        let (class, asked) = if is_mirrored {
            (class.mirror(), strip.mirror())
        } else {
            (class, strip.clone())
        };
        let shard = Shard::whole(Variant::Hop, class);
        let table = kernel::evaluate(self.arena, shard, self.threads, &Control::default())
            .map_err(|error| error.to_string())?;
        let value = table.value_at(class.rank(&asked));
        if is_mirrored {
            self.arena
                .neg(value)
                .map(Some)
                .map_err(|error| error.to_string())
        } else {
            Ok(Some(value))
        }
    }

    /// How the strip compares with a value, by play.
    pub(super) fn played(&self, strip: &Strip, value: Value) -> Result<Relation, String> {
        if let Some(comparer) = self.comparer {
            let text = notation::display(self.arena, value);
            if let Some(relation) = comparer.compare(strip, &text) {
                return Ok(relation);
            }
        }
        match self.play.compare(strip, value) {
            Ok(Some(relation)) => Ok(relation),
            Ok(None) => Err(format!(
                "{} takes more positions to play out than fit in the memory allowed",
                strip.compact()
            )),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Whether Left wins the strip less the value moving first, by play; `None` if that could not be decided.
    pub(super) fn left_wins_first(&self, strip: &Strip, value: Value) -> Option<bool> {
        self.play.left_wins_first(strip, value).ok().flatten()
    }

    /// `T^2 . F = {1/2|0}`.
    pub(super) fn shown(&self, strip: &Strip, value: Value) -> String {
        let text = notation::display_limited(self.arena, value, 200);
        format!("{} = {text}", strip.compact())
    }
}

/// How many strips have as many squares, toads and frogs; some 30–70 % of them can be reached from Tᵃ .ᵇ Fᶜ.
fn class_size(strip: &Strip) -> f64 {
    let choose = |n: usize, k: usize| {
        (0..k)
            .map(|i| (n - i) as f64 / (i + 1) as f64)
            .product::<f64>()
    };
    choose(strip.len(), strip.toads()) * choose(strip.len() - strip.toads(), strip.frogs())
}

/// What a claim says of a strip.
#[derive(Clone, Debug)]
pub(super) enum Claimed {
    /// This value.
    Is(Value),
    /// One of these.
    OneOf(Vec<Value>),
    /// Both stops are 0: between −1/2ᵏ and 1/2ᵏ for every k.
    Infinitesimal,
}

impl Judge<'_> {
    /// Whether the strip is as claimed: by canonical form, or by play and, where that gives up, by canonical form.
    pub(super) fn is(
        &mut self,
        strip: &Strip,
        claimed: &Claimed,
        by_form: bool,
    ) -> Result<bool, String> {
        if !by_form && let Ok(is) = self.plays_as(strip, claimed) {
            return Ok(is);
        }
        let value = self.value(strip)?;
        Ok(match claimed {
            Claimed::Is(claimed) => value == *claimed,
            Claimed::OneOf(claimed) => claimed.contains(&value),
            Claimed::Infinitesimal => self.is_infinitesimal(value),
        })
    }

    /// Whether the strip is as claimed, by play.
    pub(super) fn plays_as(&self, strip: &Strip, claimed: &Claimed) -> Result<bool, String> {
        match claimed {
            Claimed::Is(value) => Ok(self.played(strip, *value)? == Relation::Equal),
            Claimed::OneOf(values) => {
                for &value in values {
                    // One player's win moving first is enough to see that they differ.
                    if self.left_wins_first(strip, value) != Some(true)
                        && self.played(strip, value)? == Relation::Equal
                    {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Claimed::Infinitesimal => {
                let fine = self.finest(strip)?;
                let below = self.arena.neg(fine).map_err(|error| error.to_string())?;
                Ok(self.played(strip, fine)? == Relation::Less
                    && self.played(strip, below)? == Relation::Greater)
            }
        }
    }

    /// Whether both stops of a value are 0.
    pub(super) fn is_infinitesimal(&self, value: Value) -> bool {
        let stops = [self.arena.left_stop(value), self.arena.right_stop(value)];
        stops == [Dyadic::ZERO; 2]
    }

    /// A positive number below every positive stop: the stops of n squares have denominators of at most 2^(n/2).
    fn finest(&self, strip: &Strip) -> Result<Value, String> {
        let squares = strip.len().min(39) as u32;
        let number = Dyadic::new(1, squares).and_then(|number| self.arena.number(number));
        number.map_err(|error| error.to_string())
    }

    /// The strip with its value, where that can be had.
    pub(super) fn told(&mut self, strip: &Strip) -> String {
        match self.value(strip) {
            Ok(value) => self.shown(strip, value),
            Err(_) => strip.compact(),
        }
    }
}
