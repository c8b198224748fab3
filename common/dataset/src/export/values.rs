//! The rows of `values`.

use rustc_hash::FxHashMap;
use toads_census::ValueForm;
use toads_game::{Kind, ValueId};

use super::Source;
use super::columns::{Field, VALUES};
use super::output::Output;
use crate::answer::Names;
use crate::error::Result;
use crate::read::{Catalogue, Deep, Named, Reader, negative};
use crate::rows::Cell;

/// Values whose forms are read at a time, some 400 bytes each. In the order of ids they lie all over the store, so that each batch
/// reads most of its values.
const BATCH: usize = 1 << 17;

/// By id: every value of the strips exported, and every negative of one where mirrors are exported (they always are).
/// What is not stored with a form is computed: 10 µs a value, most of it for the reduced form.
pub(super) fn values(sources: &[Source<'_>], out: &mut Output<'_>) -> Result<()> {
    let mut catalogue = Catalogue::default();
    for (reader, selection) in sources {
        reader.each_tally(&selection.parts(), |_, result| {
            catalogue.load(reader, result.tally.iter().map(|entry| entry.value))
        })?;
    }
    out.rows_total = catalogue.all().len() as u64;
    let mut codes: Vec<u32> = (0..catalogue.all().len() as u32).collect();
    codes.sort_unstable_by_key(|&code| catalogue.facts(code).id);
    out.open(&VALUES)?;
    let Some((reader, _)) = sources.first() else {
        return Ok(());
    };
    let mut names = Names::new(out.options.max_text);
    for codes in codes.chunks(BATCH) {
        let ids = codes.iter().map(|&code| catalogue.facts(code).id);
        names.load(reader, &catalogue, ids)?;
        let forms = forms_of(reader, &catalogue, codes)?;
        for &code in codes {
            let form = &forms[&catalogue.facts(code).stored_id(catalogue.all())];
            row(reader, &catalogue, code, form, &mut names, out)?;
        }
    }
    Ok(())
}

/// The stored forms of these values, or of their negatives, by their own ids.
fn forms_of(
    reader: &Reader<'_>,
    catalogue: &Catalogue,
    codes: &[u32],
) -> Result<FxHashMap<ValueId, ValueForm>> {
    let stored = |&code: &u32| catalogue.facts(code).stored_id(catalogue.all());
    let mut ids: Vec<ValueId> = codes.iter().map(stored).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut forms = FxHashMap::default();
    reader.each_form(&ids, |form| {
        forms.insert(form.id, form);
        Ok(())
    })?;
    Ok(forms)
}

fn row(
    reader: &Reader<'_>,
    catalogue: &Catalogue,
    code: u32,
    form: &ValueForm,
    names: &mut Names,
    out: &mut Output<'_>,
) -> Result<()> {
    let facts = catalogue.facts(code);
    let invariants = if facts.stored {
        form.invariants
    } else {
        negative(form.invariants)
    };
    let named = Named::of(catalogue, facts.id);
    let mut deep = |what| names.forms().deep(reader, named, what);
    let options = [deep(Deep::LeftOptions)?, deep(Deep::RightOptions)?];
    let sizes = [deep(Deep::Depth)?, deep(Deep::Subpositions)?];
    let near = [deep(Deep::AtomicWeight)?, deep(Deep::Reduced)?];
    let denominator = facts.denominator().map_or(Field::Null, Field::Number);
    out.row(&[
        Field::Text(&facts.id.to_string()),
        Field::Text(names.text(facts.id)),
        Field::Word(Kind::code(invariants.kind).into(), invariants.kind.name()),
        Field::Word(invariants.outcome as u32, &invariants.outcome.to_string()),
        Field::Text(&invariants.left_stop.to_string()),
        Field::Text(&invariants.right_stop.to_string()),
        Field::Text(&invariants.mean.to_string()),
        Field::Text(&invariants.temperature.to_string()),
        Field::Number(invariants.birthday.into()),
        Field::Text(&catalogue.facts(facts.negative).id.to_string()),
        field(&options[0]),
        field(&options[1]),
        field(&sizes[0]),
        field(&sizes[1]),
        denominator,
        field(&near[0]),
        field(&near[1]),
    ])
}

/// A cell of an answer as one of a file.
fn field(cell: &Cell) -> Field<'_> {
    match cell {
        Cell::Int(number) => Field::Number((*number).try_into().expect("sizes are small")),
        Cell::Text(text) => Field::Text(text),
        Cell::Real(_) => unreachable!("invariants are exact"),
        Cell::Empty => Field::Null,
    }
}
