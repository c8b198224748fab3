//! Sums of ups and a nimber in an arena of their own.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::Uptimals;
use crate::arena::{Arena, Capacity, Value};
use crate::error::Result;

/// d₁, d₂, … without trailing zeros.
type Ups = SmallVec<[i32; 4]>;

/// Room for some thousand sums with ups of higher order; a form that does not fit is not recognised.
const CAPACITY: Capacity = Capacity {
    values: 1 << 16,
    options: 1 << 18,
    set_memo_bits: 12,
    order_memo_bits: 12,
};

/// The sums d₁·↑ + d₂·↑² + … + *m met so far, each with an id, and the arena they are compared in.
pub(super) struct Infinitesimals {
    sums: Vec<(Ups, u32)>,
    ids: HashMap<(Ups, u32), u32, FxBuildHasher>,
    /// Made when the first form is met that may be a sum with ups of higher order: most tables of values hold none.
    forms: Option<Box<Forms>>,
}

/// Canonical forms of sums.
struct Forms {
    arena: Arena,
    by_id: HashMap<u32, Value, FxBuildHasher>,
    by_form: HashMap<Value, u32, FxBuildHasher>,
    /// ↑[n] + * and its negative, for n = 1, 2, …
    steps: Vec<[Value; 2]>,
}

impl Default for Infinitesimals {
    fn default() -> Self {
        let mut new = Self {
            sums: Vec::new(),
            ids: HashMap::default(),
            forms: None,
        };
        assert_eq!(new.id_of(Ups::new(), 0), Self::ZERO);
        new
    }
}

impl Infinitesimals {
    /// The id of the sum of nothing.
    pub(super) const ZERO: u32 = 0;

    /// The ups and the nimber of a sum.
    pub(super) fn sum(&self, id: u32) -> (&[i32], u32) {
        let (ups, nimber) = &self.sums[id as usize];
        (ups, *nimber)
    }

    fn id_of(&mut self, ups: Ups, nimber: u32) -> u32 {
        let Self { sums, ids, .. } = self;
        *ids.entry((ups, nimber)).or_insert_with_key(|sum| {
            sums.push(sum.clone());
            sums.len() as u32 - 1
        })
    }

    /// The sum whose canonical form has these sums as options, if there is one.
    pub(super) fn find(&mut self, left: &[u32], right: &[u32]) -> Option<u32> {
        if let Some(known) = self.find_nimber(left, right) {
            return Some(known);
        }
        if let Some(known) = self
            .find_multiple(left, right, 1)
            .or_else(|| self.find_multiple(right, left, -1))
        {
            return Some(known);
        }
        if left.len() > 1 && right.len() > 1 {
            return None;
        }
        let left_forms = self.forms_of(left).ok()?;
        let right_forms = self.forms_of(right).ok()?;
        let form = self
            .forms()
            .arena
            .canonical(&left_forms, &right_forms)
            .ok()?;
        if let Some(&known) = self.forms().by_form.get(&form) {
            return Some(known);
        }
        // Where the last coefficient of U = d₁·↑ + … + dₙ·↑ⁿ + *m is positive, Right's only good move is in ↑ⁿ, to
        // U − ↑ⁿ − ↑[n−1] + * = U − ↑[n] + *; where it is negative, Left's is its mirror image. And n is at most one more
        // than in the longest option. These are the candidates; equal forms decide.
        let longest = left
            .iter()
            .chain(right)
            .map(|&id| self.sum(id).0.len())
            .max()?;
        for (options, sign) in [(right, 1), (left, -1)] {
            let &[option] = options else { continue };
            for length in 1..=longest + 1 {
                if let Some(id) = self.try_candidate(option, length, sign, form) {
                    return Some(id);
                }
            }
        }
        None
    }

    /// A nimber: the same options on both sides, and they are *0, *1, …, *(m−1).
    fn find_nimber(&mut self, left: &[u32], right: &[u32]) -> Option<u32> {
        let size = left.len();
        if size != right.len() || size > Uptimals::LARGEST_NIMBER as usize {
            return None;
        }
        for options in [left, right] {
            let mut seen = [false; Uptimals::LARGEST_NIMBER as usize];
            for &option in options {
                let (ups, nimber) = self.sum(option);
                if !ups.is_empty() || nimber as usize >= size {
                    return None;
                }
                seen[nimber as usize] = true;
            }
            if !seen[..size].iter().all(|&seen| seen) {
                return None;
            }
        }
        Some(self.id_of(Ups::new(), size as u32))
    }

    /// A multiple of ↑ and a nimber: n·↑ + *m = {0 | (n−1)·↑ + *(m ⊕ 1)}, except ↑ + * = {0, * | 0}. With sign −1 its
    /// mirror image, sides exchanged.
    fn find_multiple(&mut self, left: &[u32], right: &[u32], sign: i32) -> Option<u32> {
        let &[option] = right else { return None };
        let (ups, nimber) = self.sum(option);
        let before = match *ups {
            [] => 0,
            [count] if count.signum() == sign => count,
            _ => return None,
        };
        let nimber = nimber ^ 1;
        let is_star =
            |id: &u32| self.sums[*id as usize].0.is_empty() && self.sums[*id as usize].1 <= 1;
        let expected = if before == 0 && nimber == 1 { 2 } else { 1 };
        if left.len() != expected || !left.contains(&Self::ZERO) || !left.iter().all(is_star) {
            return None;
        }
        Some(self.id_of(Ups::from_slice(&[before + sign]), nimber))
    }

    /// Whether `form` is the sum `option` ± (↑[length] + *), of that length.
    fn try_candidate(&mut self, option: u32, length: usize, sign: i32, form: Value) -> Option<u32> {
        let (ups, nimber) = self.sum(option);
        if ups.len() > length {
            return None;
        }
        let mut ups = Ups::from_slice(ups);
        let nimber = nimber ^ 1;
        ups.resize(length, 0);
        ups.iter_mut().for_each(|coefficient| *coefficient += sign);
        if ups.last()?.signum() != sign {
            return None;
        }
        let option_form = *self.forms_of(&[option]).ok()?.first()?;
        let forms = self.forms();
        let step = forms.step(length).ok()?[usize::from(sign < 0)];
        if forms.arena.add(option_form, step).ok()? != form {
            return None;
        }
        let id = self.id_of(ups, nimber);
        let forms = self.forms();
        forms.by_id.insert(id, form);
        forms.by_form.insert(form, id);
        Some(id)
    }

    fn forms(&mut self) -> &mut Forms {
        self.forms.get_or_insert_with(|| Box::new(Forms::new()))
    }

    /// The forms of sums that were found before (nimbers and multiples of ↑ may have no form yet).
    fn forms_of(&mut self, ids: &[u32]) -> Result<SmallVec<[Value; 8]>> {
        self.forms();
        let Self { sums, forms, .. } = self;
        let forms = forms.as_deref_mut().expect("made above");
        ids.iter()
            .map(|&id| {
                if let Some(&form) = forms.by_id.get(&id) {
                    return Ok(form);
                }
                let (ups, nimber) = &sums[id as usize];
                let count = match ups[..] {
                    [] => 0,
                    [count] => count,
                    _ => unreachable!("sums with ups of higher order are found by their form"),
                };
                let form = forms.arena.ups_and_nimber(count.unsigned_abs(), *nimber)?;
                let form = if count < 0 {
                    forms.arena.neg(form)?
                } else {
                    form
                };
                forms.by_id.insert(id, form);
                forms.by_form.insert(form, id);
                Ok(form)
            })
            .collect()
    }
}

impl Forms {
    fn new() -> Self {
        Self {
            arena: Arena::with_capacity(CAPACITY),
            by_id: HashMap::default(),
            by_form: HashMap::default(),
            steps: Vec::new(),
        }
    }

    fn step(&mut self, length: usize) -> Result<[Value; 2]> {
        let arena = &self.arena;
        while self.steps.len() < length {
            let sum = arena.add(arena.up_sum(self.steps.len() as u32 + 1)?, arena.nimber(1)?)?;
            self.steps.push([sum, arena.neg(sum)?]);
        }
        Ok(self.steps[length - 1])
    }
}
