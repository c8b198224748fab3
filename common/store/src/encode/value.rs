//! Values: options and invariants under the content id. About 60 bytes and 16 for each option.

use toads_census::ValueForm;
use toads_game::{Dyadic, Kind, Outcome, ValueId, ValueInvariants};

use super::bytes::{Malformed, Reader, open_row, put_signed, put_varint, seal_row};

const VALUE: u8 = 1;

/// A value under the key of its id, appended to `row`, which must be empty.
pub fn encode_value(form: &ValueForm, row: &mut Vec<u8>) {
    debug_assert!(row.is_empty());
    let invariants = &form.invariants;
    row.extend_from_slice(&[
        VALUE,
        invariants.kind.code(),
        outcome_code(invariants.outcome),
    ]);
    for number in [
        invariants.left_stop,
        invariants.right_stop,
        invariants.mean,
        invariants.temperature,
    ] {
        put_signed(row, number.numerator());
        row.push(number.log2_denominator() as u8);
    }
    put_varint(row, invariants.birthday.into());
    row.extend_from_slice(&form.negative.0);
    for side in [&form.left, &form.right] {
        put_varint(row, side.len() as u64);
        for id in side {
            row.extend_from_slice(&id.0);
        }
    }
    seal_row(&form.id.0, row);
}

/// The value with this id.
pub fn decode_value(id: ValueId, row: &[u8]) -> Result<ValueForm, Malformed> {
    let mut reader = open_row(&id.0, row, VALUE)?;
    let kind = Kind::from_code(reader.byte()?).ok_or(Malformed::Field("unknown kind"))?;
    let outcome = outcome_of(reader.byte()?).ok_or(Malformed::Field("unknown outcome"))?;
    let left_stop = read_dyadic(&mut reader)?;
    let right_stop = read_dyadic(&mut reader)?;
    let mean = read_dyadic(&mut reader)?;
    let temperature = read_dyadic(&mut reader)?;
    let birthday = reader.narrow()?;
    let negative = ValueId(reader.array()?);
    let left = read_ids(&mut reader)?;
    let right = read_ids(&mut reader)?;
    reader.end()?;
    let invariants = ValueInvariants {
        kind,
        outcome,
        left_stop,
        right_stop,
        mean,
        temperature,
        birthday,
    };
    Ok(ValueForm {
        id,
        negative,
        left,
        right,
        invariants,
    })
}

fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::P => 0,
        Outcome::L => 1,
        Outcome::R => 2,
        Outcome::N => 3,
    }
}

fn outcome_of(code: u8) -> Option<Outcome> {
    [Outcome::P, Outcome::L, Outcome::R, Outcome::N]
        .get(usize::from(code))
        .copied()
}

fn read_dyadic(reader: &mut Reader<'_>) -> Result<Dyadic, Malformed> {
    let (numerator, log2_denominator) = (reader.signed()?, u32::from(reader.byte()?));
    let out_of_range = Malformed::Field("a number is out of range");
    if log2_denominator > 40 {
        return Err(out_of_range);
    }
    Dyadic::new(numerator, log2_denominator).map_err(|_| out_of_range)
}

fn read_ids(reader: &mut Reader<'_>) -> Result<Vec<ValueId>, Malformed> {
    let count: usize = reader.narrow()?;
    if count > reader.remaining() / 16 {
        return Err(Malformed::Field("more options than bytes"));
    }
    let (ids, _) = reader.bytes(count * 16)?.as_chunks::<16>();
    Ok(ids.iter().map(|&id| ValueId(id)).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dyadic() -> impl Strategy<Value = Dyadic> {
        (-(1i64 << 20)..1 << 20, 0..=40u32)
            .prop_map(|(numerator, k)| Dyadic::new(numerator, k).unwrap())
    }

    fn ids() -> impl Strategy<Value = Vec<ValueId>> {
        proptest::collection::vec(any::<[u8; 16]>().prop_map(ValueId), 0..5)
    }

    proptest! {
        #[test]
        fn values_read_back(
            numbers in (dyadic(), dyadic(), dyadic(), dyadic()),
            kind in 0..11u8,
            outcome in 0..4u8,
            birthday: u32,
            (left, right) in (ids(), ids()),
        ) {
            let (left_stop, right_stop, mean, temperature) = numbers;
            let form = ValueForm {
                id: ValueId([1; 16]),
                negative: ValueId([2; 16]),
                left,
                right,
                invariants: ValueInvariants {
                    kind: Kind::from_code(kind).unwrap(),
                    outcome: outcome_of(outcome).unwrap(),
                    left_stop,
                    right_stop,
                    mean,
                    temperature,
                    birthday,
                },
            };
            let mut row = Vec::new();
            encode_value(&form, &mut row);
            prop_assert_eq!(decode_value(form.id, &row), Ok(form));
        }

        #[test]
        fn junk_behind_a_good_checksum_never_panics(junk in proptest::collection::vec(any::<u8>(), 0..120)) {
            let mut row = vec![VALUE];
            row.extend(junk);
            seal_row(&[0; 16], &mut row);
            let _ = decode_value(ValueId([0; 16]), &row);
        }
    }
}
