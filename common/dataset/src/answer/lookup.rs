//! The value of one strip.

use toads_census::{Control, Forms, MAX_CENSUS_SQUARES, ValueForm, evaluate, position};
use toads_game::{Arena, Value, ValueId, ValueInvariants, notation};
use toads_strip::{Class, Strip};

use super::Names;
use crate::error::{DatasetError, Result};
use crate::read::{Catalogue, Reader, StoredClass, negative, zero_id};
use crate::rows::{Cell, Column, RowSink};

/// `strip value outcome left_stop right_stop mean temperature kind birthday value_id`.
///
/// Reads one block; evaluates the class of the core where the store holds none.
pub(super) fn value(
    reader: &Reader<'_>,
    text: &str,
    max_text: Option<usize>,
    sink: &mut dyn RowSink,
) -> Result<()> {
    let strip = Strip::parse(text).map_err(|error| DatasetError::Question(error.to_string()))?;
    let (_, core, _) = strip.core();
    if core.len() > usize::from(MAX_CENSUS_SQUARES) {
        return Err(DatasetError::Question(format!(
            "a census ends at {MAX_CENSUS_SQUARES} squares, and this strip has {} without its dead ends; ask `toads value`",
            core.len()
        )));
    }
    let columns = [
        "strip",
        "value",
        "outcome",
        "left_stop",
        "right_stop",
        "mean",
        "temperature",
        "kind",
    ];
    let mut columns = columns.map(Column::text).to_vec();
    columns.extend([Column::number("birthday"), Column::text("value_id")]);
    let found = if let Some((form, negated)) = stored(reader, &core)? {
        named(reader, &form, negated, max_text)?
    } else {
        let (arena, value) = evaluated(reader, &core)?;
        described(&arena, value, max_text)?
    };
    let Found {
        text,
        id,
        invariants,
    } = found;
    let row = [
        Cell::Text(strip.to_string()),
        Cell::Text(text),
        Cell::Text(invariants.outcome.to_string()),
        Cell::Text(invariants.left_stop.to_string()),
        Cell::Text(invariants.right_stop.to_string()),
        Cell::Text(invariants.mean.to_string()),
        Cell::Text(invariants.temperature.to_string()),
        Cell::from(invariants.kind.name()),
        Cell::from(invariants.birthday),
        Cell::Text(id.to_string()),
    ];
    if sink.columns(&columns).is_continue() {
        let _ = sink.row(&row);
    }
    Ok(())
}

struct Found {
    text: String,
    id: ValueId,
    invariants: ValueInvariants,
}

/// The stored form behind a core strip, and whether its negative is the strip's value.
fn stored(reader: &Reader<'_>, core: &Strip) -> Result<Option<(ValueForm, bool)>> {
    let class = core.class();
    let shard = reader.shard_of(class);
    let form = |id| -> Result<ValueForm> {
        reader
            .store
            .value(id)?
            .ok_or_else(|| crate::read::missing(id))
    };
    if class.n == 0 {
        return Ok(reader.store.value(zero_id())?.map(|form| (form, false)));
    }
    let Some(stored) = StoredClass::open(reader, shard)? else {
        return Ok(None);
    };
    let (core, negated) = if class.is_computed() {
        (core.clone(), false)
    } else {
        (core.mirror(), true)
    };
    let (number, at) = position(shard.class, &core);
    let place = stored
        .block(reader, number)?
        .tally_place(at)
        .expect("the block was checked to hold every core strip");
    Ok(Some((
        form(stored.result.tally[place as usize].value)?,
        negated,
    )))
}

/// A stored form with its text.
fn named(
    reader: &Reader<'_>,
    form: &ValueForm,
    negated: bool,
    max_text: Option<usize>,
) -> Result<Found> {
    let id = if negated { form.negative } else { form.id };
    let mut catalogue = Catalogue::default();
    catalogue.load(reader, [form.id])?;
    let mut names = Names::new(max_text);
    names.load(reader, &catalogue, [id])?;
    let invariants = if negated {
        negative(form.invariants)
    } else {
        form.invariants
    };
    Ok(Found {
        text: names.text(id).to_owned(),
        id,
        invariants,
    })
}

/// The ids of the value of a strip of the census and of its negative.
pub(crate) fn value_of(reader: &Reader<'_>, strip: &Strip) -> Result<(ValueId, ValueId)> {
    let (_, core, _) = strip.core();
    match stored(reader, &core)? {
        Some((form, false)) => Ok((form.id, form.negative)),
        Some((form, true)) => Ok((form.negative, form.id)),
        None => {
            let (arena, value) = evaluated(reader, &core)?;
            Ok((arena.id(value), arena.negative_id(value)))
        }
    }
}

/// A core strip evaluated with its class.
fn evaluated(reader: &Reader<'_>, core: &Strip) -> Result<(Arena, Value)> {
    let class = core.class();
    let arena = Arena::with_capacity_bytes(2 << 30);
    if class.n == 0 {
        return Ok((arena, Value::ZERO));
    }
    let shard = reader.shard_of(class);
    let (strips, limit) = (shard.class.size(), reader.evaluate_limit);
    if strips > limit {
        return Err(DatasetError::NeedsBlocks {
            shard,
            strips,
            limit,
        });
    }
    let evaluated = evaluate(&arena, shard, reader.threads, &Control::default())?;
    let at = |class: Class, strip: &Strip| evaluated.value_at(class.rank(strip));
    let value = if class.is_computed() {
        at(class, core)
    } else {
        arena.neg(at(class.mirror(), &core.mirror()))?
    };
    drop(evaluated);
    Ok((arena, value))
}

/// A value that was evaluated, with its text.
fn described(arena: &Arena, value: Value, max_text: Option<usize>) -> Result<Found> {
    let form = Forms::new(arena).form(value)?;
    let text = match max_text {
        Some(max) => notation::display_limited(arena, value, max),
        None => notation::display(arena, value),
    };
    Ok(Found {
        text,
        id: form.id,
        invariants: form.invariants,
    })
}
