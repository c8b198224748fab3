//! Values: a row of ids and a row of forms under the number of the first, [`ROW_VALUES`] values at most.
//!
//! A form names its options by number, as differences from its own: options come before the values that have them. So
//! does it name its negative, if that is stored by then, or is in the same row; else the negative's id stands there.
//! Everything is written column by column and the columns go through zstd together: some 12 bytes a value of 16
//! squares, where options and invariants as they are would take 90.

use toads_game::{Dyadic, Kind, Outcome, ValueId, ValueInvariants};

use super::bytes::{Malformed, Reader, open_row, put_signed, put_varint, seal_row};
use super::columns::{MAX_COLUMN_BYTES, Packer, read_column};
use crate::records::Negative;

const IDS: u8 = 1;
const FORMS: u8 = 2;

/// Values of a row at most: few enough that one is read in some 30 microseconds.
pub const ROW_VALUES: usize = 512;

/// Options of a row at most, except for a row with a single value: bounds the bytes of a row.
pub const ROW_OPTIONS: usize = 1 << 17;

/// Forms of consecutive numbers, options by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Forms {
    /// One for each form.
    pub negatives: Vec<Negative>,
    /// One for each form.
    pub invariants: Vec<ValueInvariants>,
    /// Left and Right options of one form after the other, each side in ascending order.
    pub options: Vec<u32>,
    /// Where the Left and the Right options of each form end in `options`.
    pub ends: Vec<[u32; 2]>,
}

impl Forms {
    /// How many.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The Left and the Right options of form `at`.
    pub fn sides(&self, at: usize) -> [&[u32]; 2] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before][1]) as usize;
        let [left, right] = self.ends[at].map(|end| end as usize);
        [&self.options[start..left], &self.options[left..right]]
    }

    /// Adds a form; sorts the options.
    pub fn push(&mut self, invariants: ValueInvariants, negative: Negative, sides: [&[u32]; 2]) {
        let ends = sides.map(|side| {
            let start = self.options.len();
            self.options.extend_from_slice(side);
            self.options[start..].sort_unstable();
            self.options.len() as u32
        });
        self.ends.push(ends);
        self.negatives.push(negative);
        self.invariants.push(invariants);
    }
}

/// The ids of values from a number on, under `key`.
pub fn encode_ids(key: &[u8], ids: &[ValueId]) -> Vec<u8> {
    let mut row = Vec::with_capacity(8 + 16 * ids.len());
    row.push(IDS);
    put_varint(&mut row, ids.len() as u64);
    for id in ids {
        row.extend_from_slice(&id.0);
    }
    seal_row(key, &mut row);
    row
}

/// The ids of a row.
pub fn decode_ids<'a>(key: &[u8], row: &'a [u8]) -> Result<&'a [[u8; 16]], Malformed> {
    let mut reader = open_row(key, row, IDS)?;
    let count: usize = reader.narrow()?;
    if count == 0 || count > ROW_VALUES {
        return Err(Malformed::Field("a row of ids is empty or too large"));
    }
    let (ids, _) = reader.bytes(count * 16)?.as_chunks();
    reader.end()?;
    Ok(ids)
}

/// The forms of the values from number `first` on, under `key`. Every option has a smaller number than its form.
pub fn encode_forms(packer: &mut Packer, key: &[u8], first: u32, forms: &Forms) -> Vec<u8> {
    debug_assert!(forms.len() <= ROW_VALUES);
    let mut columns = Vec::with_capacity(24 * forms.len());
    for invariants in &forms.invariants {
        columns.push(invariants.kind.code() << 2 | outcome_code(invariants.outcome));
    }
    for number in NUMBERS {
        for invariants in &forms.invariants {
            columns.push(number(invariants).log2_denominator() as u8);
        }
        for invariants in &forms.invariants {
            put_signed(&mut columns, number(invariants).numerator());
        }
    }
    for invariants in &forms.invariants {
        put_varint(&mut columns, invariants.birthday.into());
    }
    for side in [0, 1] {
        for at in 0..forms.len() {
            put_varint(&mut columns, forms.sides(at)[side].len() as u64);
        }
    }
    for side in [0, 1] {
        for at in 0..forms.len() {
            // The nearest first: how far down it is, then how much farther each next one.
            let mut from = first + at as u32;
            for &option in forms.sides(at)[side].iter().rev() {
                debug_assert!(option < from);
                put_varint(&mut columns, (from - option - 1).into());
                from = option;
            }
        }
    }
    let mut ids = Vec::new();
    for (own, negative) in (i64::from(first)..).zip(&forms.negatives) {
        match negative {
            Negative::Itself => put_signed(&mut columns, 0),
            Negative::Number(number) => put_signed(&mut columns, i64::from(*number) - own),
            Negative::Id(id) => {
                put_signed(&mut columns, ELSEWHERE);
                ids.extend_from_slice(&id.0);
            }
        }
    }
    let mut row = Vec::with_capacity(columns.len() + ids.len());
    row.push(FORMS);
    put_varint(&mut row, forms.len() as u64);
    packer.put(&mut row, &columns);
    row.extend_from_slice(&ids);
    seal_row(key, &mut row);
    row
}

/// The forms of the values from number `first` on. Checks that options come before the values that have them and that
/// negatives are below 2^32; not that there are values with these numbers.
pub fn decode_forms(key: &[u8], first: u32, row: &[u8]) -> Result<Forms, Malformed> {
    let mut reader = open_row(key, row, FORMS)?;
    let count: usize = reader.narrow()?;
    if count == 0 || count > ROW_VALUES || u32::MAX - first < count as u32 {
        return Err(Malformed::Field("a row of forms is empty or too large"));
    }
    let columns = read_column(&mut reader, MAX_COLUMN_BYTES)?;
    let mut columns = Reader::new(&columns);
    let kinds = columns.bytes(count)?;
    let mut numbers = [const { Vec::new() }; NUMBERS.len()];
    for column in &mut numbers {
        let denominators = columns.bytes(count)?;
        *column = denominators
            .iter()
            .map(|&log2_denominator| dyadic(columns.signed()?, log2_denominator))
            .collect::<Result<Vec<_>, _>>()?;
    }
    let invariants = (0..count).map(|at| {
        let unknown = Malformed::Field("unknown kind");
        let [left_stop, right_stop, mean, temperature] = [0, 1, 2, 3].map(|i| numbers[i][at]);
        Ok(ValueInvariants {
            kind: Kind::from_code(kinds[at] >> 2).ok_or(unknown)?,
            outcome: OUTCOMES[usize::from(kinds[at] & 3)],
            left_stop,
            right_stop,
            mean,
            temperature,
            birthday: columns.narrow()?,
        })
    });
    let invariants = invariants.collect::<Result<Vec<_>, Malformed>>()?;
    let (ends, options) = read_options(&mut columns, first, count)?;
    let negatives = (i64::from(first)..).take(count).map(|own| {
        let distance = columns.signed()?;
        match distance {
            0 => Ok(Negative::Itself),
            ELSEWHERE => reader.array().map(|id| Negative::Id(ValueId(id))),
            _ => own
                .checked_add(distance)
                .and_then(|number| u32::try_from(number).ok())
                .map(Negative::Number)
                .ok_or(Malformed::Field("a negative is out of range")),
        }
    });
    let negatives = negatives.collect::<Result<Vec<_>, Malformed>>()?;
    columns.end()?;
    reader.end()?;
    Ok(Forms {
        negatives,
        invariants,
        options,
        ends,
    })
}

/// The options of both sides, and where they end.
fn read_options(
    columns: &mut Reader<'_>,
    first: u32,
    count: usize,
) -> Result<(Vec<[u32; 2]>, Vec<u32>), Malformed> {
    let too_many = Malformed::Field("more options than bytes");
    let mut counts = [const { Vec::new() }; 2];
    let mut total = 0usize;
    for side in &mut counts {
        for _ in 0..count {
            let options: usize = columns.narrow()?;
            total = total.saturating_add(options);
            side.push(options);
        }
    }
    // Each takes a byte or more.
    if total > columns.remaining() {
        return Err(too_many);
    }
    let mut ends = Vec::with_capacity(count);
    let mut end = 0;
    for (&left, &right) in counts[0].iter().zip(&counts[1]) {
        ends.push([end + left as u32, end + (left + right) as u32]);
        end += (left + right) as u32;
    }
    let mut options = vec![0; total];
    for side in [0, 1] {
        for (at, own) in (first..).take(count).enumerate() {
            let end = ends[at][side] as usize;
            let mut from = own;
            for option in options[end - counts[side][at]..end].iter_mut().rev() {
                let distance: u32 = columns.narrow()?;
                from = from
                    .checked_sub(distance)
                    .and_then(|from| from.checked_sub(1))
                    .ok_or(Malformed::Field("an option does not come before its value"))?;
                *option = from;
            }
        }
    }
    Ok((ends, options))
}

/// In the column of negatives: the id stands behind the columns. No distance between two numbers.
const ELSEWHERE: i64 = 1 << 32;

/// The invariants that are numbers, in the order of their columns.
const NUMBERS: [fn(&ValueInvariants) -> Dyadic; 4] = [
    |invariants| invariants.left_stop,
    |invariants| invariants.right_stop,
    |invariants| invariants.mean,
    |invariants| invariants.temperature,
];

const OUTCOMES: [Outcome; 4] = [Outcome::P, Outcome::L, Outcome::R, Outcome::N];

fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::P => 0,
        Outcome::L => 1,
        Outcome::R => 2,
        Outcome::N => 3,
    }
}

fn dyadic(numerator: i64, log2_denominator: u8) -> Result<Dyadic, Malformed> {
    let out_of_range = Malformed::Field("a number is out of range");
    if log2_denominator > 40 {
        return Err(out_of_range);
    }
    Dyadic::new(numerator, log2_denominator.into()).map_err(|_| out_of_range)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIRST: u32 = 1000;

    fn number() -> impl Strategy<Value = Dyadic> {
        (-(1i64 << 20)..1 << 20, 0..=40u32)
            .prop_map(|(numerator, k)| Dyadic::new(numerator, k).unwrap())
    }

    prop_compose! {
        fn invariants()(
            (left_stop, right_stop, mean, temperature) in (number(), number(), number(), number()),
            kind in 0..11u8,
            outcome in 0..4usize,
            birthday: u32,
        ) -> ValueInvariants {
            ValueInvariants {
                kind: Kind::from_code(kind).unwrap(),
                outcome: OUTCOMES[outcome],
                left_stop,
                right_stop,
                mean,
                temperature,
                birthday,
            }
        }
    }

    fn negative() -> impl Strategy<Value = Negative> {
        prop_oneof![
            Just(Negative::Itself),
            any::<u32>().prop_map(Negative::Number),
            any::<[u8; 16]>().prop_map(|id| Negative::Id(ValueId(id))),
        ]
    }

    fn forms() -> impl Strategy<Value = Forms> {
        let options = || proptest::collection::btree_set(0..FIRST, 0..5);
        proptest::collection::vec((invariants(), negative(), options(), options()), 1..40).prop_map(
            |all| {
                let mut forms = Forms::default();
                for (own, (invariants, negative, left, right)) in (FIRST..).zip(all) {
                    let negative = match negative {
                        Negative::Number(number) if number == own => Negative::Itself,
                        other => other,
                    };
                    let sides = [left, right].map(|side| side.into_iter().collect::<Vec<_>>());
                    forms.push(invariants, negative, [&sides[0], &sides[1]]);
                }
                forms
            },
        )
    }

    proptest! {
        #[test]
        fn forms_read_back(forms in forms()) {
            let row = encode_forms(&mut Packer::new(), b"k", FIRST, &forms);
            prop_assert_eq!(decode_forms(b"k", FIRST, &row), Ok(forms));
        }

        #[test]
        fn ids_read_back(ids in proptest::collection::vec(any::<[u8; 16]>(), 1..40)) {
            let all: Vec<ValueId> = ids.iter().copied().map(ValueId).collect();
            let row = encode_ids(b"k", &all);
            prop_assert_eq!(decode_ids(b"k", &row), Ok(&ids[..]));
        }

        #[test]
        fn junk_behind_a_good_checksum_never_panics(
            forms in forms(),
            junk in proptest::collection::vec(any::<u8>(), 0..20),
            at in any::<proptest::sample::Index>(),
            first: u32,
        ) {
            let mut spoilt = encode_forms(&mut Packer::new(), b"k", FIRST, &forms);
            spoilt.truncate(spoilt.len() - 4);
            let at = at.index(spoilt.len());
            for (byte, junk) in spoilt[at..].iter_mut().skip(1).zip(&junk) {
                *byte = *junk;
            }
            let rows = [
                spoilt,
                [&[FORMS][..], &junk[..]].concat(),
                [&[IDS][..], &junk[..]].concat(),
            ];
            for mut row in rows {
                seal_row(b"k", &mut row);
                let _ = decode_forms(b"k", FIRST, &row);
                let _ = decode_forms(b"k", first, &row);
                let _ = decode_ids(b"k", &row);
            }
        }
    }

    #[test]
    fn no_option_is_the_value_itself_or_a_later_one() {
        let forms = {
            let mut forms = Forms::default();
            let zero = ValueInvariants {
                kind: Kind::from_code(0).unwrap(),
                outcome: Outcome::P,
                left_stop: Dyadic::new(0, 0).unwrap(),
                right_stop: Dyadic::new(0, 0).unwrap(),
                mean: Dyadic::new(0, 0).unwrap(),
                temperature: Dyadic::new(-1, 0).unwrap(),
                birthday: 0,
            };
            forms.push(zero, Negative::Itself, [&[6], &[3]]);
            forms
        };
        let row = encode_forms(&mut Packer::new(), b"k", 7, &forms);
        assert_eq!(decode_forms(b"k", 7, &row), Ok(forms));
        // Read as value 3, option 6 lies 1 down and option 3 lies 4 down, which is before the first value.
        assert_eq!(
            decode_forms(b"k", 3, &row),
            Err(Malformed::Field("an option does not come before its value"))
        );
    }
}
