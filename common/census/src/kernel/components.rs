//! Hopless strips by their components, half by half: no options, no table look-ups, no dependencies.
//!
//! A hopless strip is a sum of components, blocks of toads followed by blocks of frogs (docs/MATH.md). With a toads and b
//! frogs in a component, twice its mean is a sum over its blanks: a blank with i toads of the component behind it, and
//! a toad or the edge ahead, counts 2i; one with i frogs behind it counts −2i; one between the last toad and the first frog
//! counts a − b. If those last are odd in number the component swings by a + b − 2 halves, and equal swings cancel in pairs.
//! So the value is (twice the mean, a set of swings), both sums over halves of the strip with a correction for the one
//! component that the cut may divide.

use std::sync::Mutex;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use toads_game::{Arena, Canonicalizer, GameError, Value};

use super::halves::Halves;

/// A sum of components: twice the mean, and bit h for each half-swing of h halves that does not cancel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
struct Sum {
    twice_mean: i32,
    swings: u32,
}

/// What a high half contributes, and what of it is open towards the cut.
#[derive(Clone, Copy, Default, Debug)]
struct Tail {
    /// Without the blanks at the cut, the last component ending there.
    sum: Sum,
    /// Toads, then frogs, of the last component.
    toads: i32,
    frogs: i32,
    /// Blanks at the cut.
    blanks: i32,
    /// How much twice the mean falls for each frog that joins the last component's frogs.
    a_frog_costs: i32,
    /// Whether the last component has frogs behind an odd contested gap.
    odd: bool,
}

/// What a low half contributes, and what of it is open towards the cut.
#[derive(Clone, Copy, Default, Debug)]
struct Head {
    /// Without the blanks at the cut, the first component beginning there.
    sum: Sum,
    /// Toads, then frogs, of the first component.
    toads: i32,
    frogs: i32,
    /// Blanks at the cut.
    blanks: i32,
    /// How much twice the mean rises for each toad that joins the first component's toads.
    a_toad_gains: i32,
    /// Whether the first component has toads before an odd contested gap.
    odd: bool,
}

/// A component while it is read from left to right.
#[derive(Clone, Copy, Default)]
struct Component {
    toads: i32,
    frogs: i32,
    /// Σ 2i over blanks ahead of i toads, and −2i over blanks ahead of i frogs so far.
    twice_free: i32,
    /// Blanks among toads, the last of them in front of no frog yet.
    toad_blanks: i32,
    contested: i32,
    /// Blanks that frogs to the right of them are going to cross.
    frog_blanks: i32,
}

impl Component {
    fn sum(&self) -> Sum {
        let twice_mean = self.twice_free + (self.toads - self.frogs) * self.contested;
        let swings = if self.odd() {
            1 << (self.toads + self.frogs - 2)
        } else {
            0
        };
        Sum { twice_mean, swings }
    }

    fn odd(&self) -> bool {
        self.contested % 2 == 1
    }
}

impl Sum {
    fn plus(self, other: Self) -> Self {
        Self {
            twice_mean: self.twice_mean + other.twice_mean,
            swings: self.swings ^ other.swings,
        }
    }
}

/// A half-strip read from left to right: sum of the closed components, first and last component, blanks at both ends.
/// `closed_left` and `closed_right` tell which ends are edges of the strip: blanks there are free moves of their
/// neighbours; blanks at the cut are left out.
struct Reading {
    components: Vec<Component>,
    leading: i32,
    trailing: i32,
}

fn read(squares: &[u32], closed_left: bool, closed_right: bool) -> Reading {
    let (mut components, mut current, mut blanks, mut leading) =
        (vec![], Component::default(), 0, None);
    for &square in squares {
        match square {
            1 => blanks += 1,
            2 => {
                if current.frogs > 0 {
                    components.push(std::mem::take(&mut current)); // a wall: nobody crosses the blanks before it
                } else if current.toads > 0 {
                    current.twice_free += 2 * current.toads * blanks;
                    current.toad_blanks += blanks;
                }
                leading.get_or_insert(blanks);
                current.toads += 1;
                blanks = 0;
            }
            _ => {
                if current.frogs > 0 || (leading.is_none() && closed_left) {
                    current.frog_blanks += blanks;
                } else if current.toads > 0 {
                    current.contested = blanks;
                }
                // One more frog crosses every blank that frogs cross.
                current.twice_free -= 2 * current.frog_blanks;
                leading.get_or_insert(blanks);
                current.frogs += 1;
                blanks = 0;
            }
        }
    }
    if closed_right && current.frogs == 0 {
        current.twice_free += 2 * current.toads * blanks;
        current.toad_blanks += blanks;
    }
    if leading.is_some() {
        components.push(current);
    }
    Reading {
        components,
        leading: leading.unwrap_or(blanks),
        trailing: blanks,
    }
}

impl Tail {
    fn of(squares: &[u32]) -> Self {
        let reading = read(squares, true, false);
        let sum = reading
            .components
            .iter()
            .fold(Sum::default(), |sum, component| sum.plus(component.sum()));
        let last = reading.components.last().copied().unwrap_or_default();
        Self {
            sum,
            toads: last.toads,
            frogs: last.frogs,
            blanks: reading.trailing,
            a_frog_costs: last.contested + 2 * last.frog_blanks,
            odd: last.odd(),
        }
    }
}

impl Head {
    fn of(squares: &[u32]) -> Self {
        let reading = read(squares, false, true);
        let sum = reading
            .components
            .iter()
            .fold(Sum::default(), |sum, component| sum.plus(component.sum()));
        let first = reading.components.first().copied().unwrap_or_default();
        Self {
            sum,
            toads: first.toads,
            frogs: first.frogs,
            blanks: reading.leading,
            a_toad_gains: 2 * first.toad_blanks + first.contested,
            odd: first.odd(),
        }
    }
}

/// The sum of a strip from its halves.
#[inline]
fn join(tail: &Tail, head: &Head) -> Sum {
    let mut sum = tail.sum.plus(head.sum);
    let between = tail.blanks + head.blanks;
    if head.toads > 0 {
        // Toads after frogs are a wall; toads after toads are one block.
        if tail.frogs == 0 {
            sum.twice_mean += tail.toads * (2 * between + head.a_toad_gains);
            if head.odd {
                let pieces = head.toads + head.frogs - 2;
                sum.swings ^= 1 << pieces ^ 1 << (pieces + tail.toads);
            }
        }
    } else if head.frogs > 0 {
        if tail.frogs > 0 || tail.toads == 0 {
            sum.twice_mean -= head.frogs * (2 * between + tail.a_frog_costs);
            if tail.odd {
                let pieces = tail.toads + tail.frogs - 2;
                sum.swings ^= 1 << pieces ^ 1 << (pieces + head.frogs);
            }
        } else {
            sum.twice_mean += (tail.toads - head.frogs) * between;
            if between % 2 == 1 {
                sum.swings ^= 1 << (tail.toads + head.frogs - 2);
            }
        }
    } else if tail.frogs == 0 {
        sum.twice_mean += 2 * tail.toads * between;
    }
    sum
}

/// Every half of a layout, read once; slots as in [`Halves`].
pub(super) struct Components {
    tails: Vec<Tail>,
    heads: Vec<Head>,
    /// Values of the sums met so far, shared by the threads.
    values: Mutex<HashMap<Sum, Value, FxBuildHasher>>,
}

impl Components {
    /// About 80 bytes a half.
    pub(super) fn new(high: &Halves, low: &Halves) -> Self {
        let tails = high
            .index_of
            .iter()
            .map(|&index| Tail::of(&high.digits(index)))
            .collect();
        let heads = low
            .index_of
            .iter()
            .map(|&index| Head::of(&low.digits(index)))
            .collect();
        Self {
            tails,
            heads,
            values: Mutex::default(),
        }
    }

    fn value(&self, canonicalizer: &mut Canonicalizer<'_>, sum: Sum) -> Result<Value, GameError> {
        if let Some(&known) = self
            .values
            .lock()
            .expect("no thread panics holding this lock")
            .get(&sum)
        {
            return Ok(known);
        }
        let value = build(canonicalizer, sum)?;
        self.values
            .lock()
            .expect("no thread panics holding this lock")
            .insert(sum, value);
        Ok(value)
    }
}

/// The nested switch {mean + h₁ ± h₂ … | mean − h₁ ± h₂ …}, h₁ the largest half-swing.
fn build(
    canonicalizer: &mut Canonicalizer<'_>,
    Sum { twice_mean, swings }: Sum,
) -> Result<Value, GameError> {
    let arena: &Arena = canonicalizer.arena();
    let Some(largest) = swings.checked_ilog2() else {
        assert!(twice_mean % 2 == 0, "a sum without swings is an integer");
        return arena.integer(i64::from(twice_mean / 2));
    };
    let rest = swings & !(1 << largest);
    let left = build(
        canonicalizer,
        Sum {
            twice_mean: twice_mean + largest as i32,
            swings: rest,
        },
    )?;
    let right = build(
        canonicalizer,
        Sum {
            twice_mean: twice_mean - largest as i32,
            swings: rest,
        },
    )?;
    canonicalizer.canonical(&[left], &[right])
}

const CACHE: usize = 1 << 12;

/// One thread's view of [`Components`].
pub(super) struct Reader<'a> {
    components: &'a Components,
    cache: Vec<(Sum, Value)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(components: &'a Components) -> Self {
        // The sum that stands for "free" is zero's own, so it is even right.
        Self {
            components,
            cache: vec![(Sum::default(), Value::ZERO); CACHE],
        }
    }

    /// The values of the strips with this high half and these low halves, in order.
    pub(super) fn run(
        &mut self,
        canonicalizer: &mut Canonicalizer<'_>,
        high_slot: u32,
        low_slots: std::ops::Range<u32>,
        mut store: impl FnMut(Value),
    ) -> Result<(), GameError> {
        let tail = self.components.tails[high_slot as usize];
        for head in &self.components.heads[low_slots.start as usize..low_slots.end as usize] {
            let sum = join(&tail, head);
            let key = u64::from(sum.twice_mean as u32) << 32 | u64::from(sum.swings);
            let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
            if self.cache[slot].0 != sum {
                self.cache[slot] = (sum, self.components.value(canonicalizer, sum)?);
            }
            store(self.cache[slot].1);
        }
        Ok(())
    }
}
