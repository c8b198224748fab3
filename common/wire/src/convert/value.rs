//! Values and tallies.

use toads_census::{TallyEntry, ValueForm};
use toads_game::{Dyadic, Kind, Outcome, ValueInvariants};

use super::{Result, WireError, ids, out_of_range};
use crate::v1;

fn to_dyadic(dyadic: Dyadic) -> v1::Dyadic {
    v1::Dyadic {
        numerator: dyadic.numerator(),
        log2_denominator: dyadic.log2_denominator(),
    }
}

fn dyadic(field: &'static str, message: Option<&v1::Dyadic>) -> Result<Dyadic> {
    let message = message.ok_or(WireError::Missing(field))?;
    let (numerator, log2) = (message.numerator, message.log2_denominator);
    let refuse = || {
        out_of_range(
            field,
            &format!("{numerator}/2^{log2}"),
            "the dyadic numbers of this build, in lowest terms",
        )
    };
    if log2 > 62 || (log2 > 0 && numerator % 2 == 0) {
        return Err(refuse());
    }
    Dyadic::new(numerator, log2).map_err(|_| refuse())
}

fn to_outcome(outcome: Outcome) -> v1::Outcome {
    match outcome {
        Outcome::P => v1::Outcome::Previous,
        Outcome::L => v1::Outcome::Left,
        Outcome::R => v1::Outcome::Right,
        Outcome::N => v1::Outcome::Next,
    }
}

fn outcome(number: i32) -> Result<Outcome> {
    match v1::Outcome::try_from(number) {
        Ok(v1::Outcome::Previous) => Ok(Outcome::P),
        Ok(v1::Outcome::Left) => Ok(Outcome::L),
        Ok(v1::Outcome::Right) => Ok(Outcome::R),
        Ok(v1::Outcome::Next) => Ok(Outcome::N),
        _ => Err(out_of_range("outcome", &number, "1..4")),
    }
}

/// A form as its message.
pub fn to_form(form: &ValueForm) -> v1::ValueForm {
    let ValueInvariants {
        kind,
        outcome,
        left_stop,
        right_stop,
        mean,
        temperature,
        birthday,
    } = form.invariants;
    v1::ValueForm {
        id: ids::to_id(form.id),
        negative: ids::to_id(form.negative),
        left: ids::to_ids(&form.left),
        right: ids::to_ids(&form.right),
        kind: kind.to_string(),
        outcome: to_outcome(outcome).into(),
        left_stop: Some(to_dyadic(left_stop)),
        right_stop: Some(to_dyadic(right_stop)),
        mean: Some(to_dyadic(mean)),
        temperature: Some(to_dyadic(temperature)),
        birthday,
    }
}

/// Bytes a form takes in a message, or a little less than this.
pub fn form_bytes(form: &ValueForm) -> usize {
    160 + 16 * (form.left.len() + form.right.len())
}

/// A form from its message. That the id is the hash of the options is not checked here.
pub fn form(message: &v1::ValueForm) -> Result<ValueForm> {
    let kind: Kind = message
        .kind
        .parse()
        .map_err(|_| out_of_range("kind", &message.kind, "the kinds of this build"))?;
    Ok(ValueForm {
        id: ids::id("a value id", &message.id)?,
        negative: ids::id("the id of a negative", &message.negative)?,
        left: ids::ascending("the Left options", &message.left)?,
        right: ids::ascending("the Right options", &message.right)?,
        invariants: ValueInvariants {
            kind,
            outcome: outcome(message.outcome)?,
            left_stop: dyadic("the left stop", message.left_stop.as_ref())?,
            right_stop: dyadic("the right stop", message.right_stop.as_ref())?,
            mean: dyadic("the mean", message.mean.as_ref())?,
            temperature: dyadic("the temperature", message.temperature.as_ref())?,
            birthday: message.birthday,
        },
    })
}

/// A tally entry as its message.
pub fn to_tally_entry(entry: &TallyEntry) -> v1::TallyEntry {
    let TallyEntry {
        value,
        count,
        first,
        first_mirrored,
    } = *entry;
    v1::TallyEntry {
        value: ids::to_id(value),
        count,
        first,
        first_mirrored,
    }
}

/// A tally entry from its message. Order and sums are not checked here.
pub fn tally_entry(message: &v1::TallyEntry) -> Result<TallyEntry> {
    if message.count == 0 {
        return Err(out_of_range("a count", &0, "1.."));
    }
    Ok(TallyEntry {
        value: ids::id("a value id", &message.value)?,
        count: message.count,
        first: message.first,
        first_mirrored: message.first_mirrored,
    })
}
