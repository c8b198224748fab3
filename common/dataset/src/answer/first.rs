//! Where a value, or a property, appears first.

use super::seen::seen;
use super::{Asked, Names};
use crate::error::Result;
use crate::read::{Catalogue, Stratum};
use crate::rows::{Cell, Column, RowSink};

/// `n first_strip value kind outcome strips distinct value_id`: one row, of the smallest n where a wanted value occurs; none
/// where it does not.
pub(super) fn first(
    asked: &Asked<'_>,
    max_text: Option<usize>,
    sink: &mut dyn RowSink,
) -> Result<()> {
    let columns = [
        Column::number("n"),
        Column::text("first_strip"),
        Column::text("value"),
        Column::text("kind"),
        Column::text("outcome"),
        Column::number("strips"),
        Column::number("distinct"),
        Column::text("value_id"),
    ];
    if asked.begin(&columns, sink).is_break() {
        return Ok(());
    }
    let mut known = asked.reader.known_for(&asked.selection.parts())?;
    let begun = |stratum: &&Stratum| !stratum.parts.is_empty();
    for stratum in asked.selection.strata.iter().filter(begun) {
        let seen = seen(asked, &mut known, &stratum.parts)?;
        let facts = known.facts();
        let (mut strips, mut distinct, mut earliest) = (0, 0u64, None);
        for (of, seen) in facts.iter().zip(&seen) {
            let Some(first) = seen.first.filter(|_| asked.wanted.admits(of)) else {
                continue;
            };
            strips += seen.strips;
            distinct += 1;
            if earliest.is_none_or(|(earliest, _)| first < earliest) {
                earliest = Some((first, of));
            }
        }
        let Some((first, of)) = earliest else {
            continue;
        };
        let (mut catalogue, mut names) = (Catalogue::default(), Names::new(max_text));
        catalogue.load(&asked.reader, [of.stored_id(facts)])?;
        names.load(&asked.reader, &catalogue, [of.id])?;
        let row = [
            Cell::from(stratum.n),
            Cell::from(first.strip().to_string()),
            Cell::from(names.text(of.id)),
            Cell::from(of.kind),
            Cell::from(of.outcome),
            Cell::from(strips),
            Cell::from(distinct),
            Cell::from(of.id),
        ];
        let _ = sink.row(&row);
        return Ok(());
    }
    if let Some(last) = asked.selection.strata.last() {
        let n = last.n;
        sink.note(&format!(
            "it does not occur up to {n} squares, as far as they are committed"
        ));
    }
    Ok(())
}
