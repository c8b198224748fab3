//! Answers: one file for each question.

mod classes;
mod counts;
mod extremes;
mod first;
mod lookup;
mod names;
mod seen;
mod strips;
mod strips_of_value;
mod summary;
mod values;
mod wanted;

use std::ops::ControlFlow;

use toads_store::Store;
use toads_strip::Variant;

use crate::error::Result;
use crate::question::{Filters, Question};
use crate::read::{Reader, Selection};
use crate::rows::{Column, RowSink};
use crate::sql;

pub(crate) use classes::class_rows;
pub(crate) use lookup::value_of;
pub(crate) use names::Names;
pub(crate) use strips_of_value::Hits;
pub(crate) use wanted::Wanted;

/// Answers `question` from `store`, row by row into `sink`.
///
/// Aggregates fold tallies: they cost about a microsecond for each distinct value of each class, whatever the number
/// of strips. Questions about single strips read the blocks of the classes that hold them. A sink that breaks off ends
/// the answer without an error. What is not committed is left out, and a note says so.
pub fn answer(store: &dyn Store, question: &Question, sink: &mut dyn RowSink) -> Result<()> {
    answer_with(question, sink, |variant| Reader::new(store, variant))
}

/// The same with a [`Reader`] made to measure, such as one that evaluates larger classes in passing.
pub fn answer_with<'s>(
    question: &Question,
    sink: &mut dyn RowSink,
    read: impl Fn(Variant) -> Result<Reader<'s>>,
) -> Result<()> {
    let read = &read;
    match question {
        Question::Summary { filters } => summary::summary(&Asked::new(read, filters)?, sink),
        Question::Outcomes { filters } => summary::outcomes(&Asked::new(read, filters)?, sink),
        Question::Kinds { filters } => summary::kinds(&Asked::new(read, filters)?, sink),
        Question::Temperatures { filters } => {
            summary::temperatures(&Asked::new(read, filters)?, sink)
        }
        Question::Denominators { filters } => {
            summary::denominators(&Asked::new(read, filters)?, sink)
        }
        Question::Extremes { filters, max_text } => {
            extremes::extremes(&Asked::new(read, filters)?, *max_text, sink)
        }
        Question::First { filters, max_text } => {
            first::first(&Asked::new(read, filters)?, *max_text, sink)
        }
        Question::Classes { filters } => classes::classes(&Asked::new(read, filters)?, sink),
        Question::Values {
            filters,
            limit,
            max_text,
        } => values::values(&Asked::new(read, filters)?, *limit, *max_text, sink),
        Question::Strips {
            filters,
            limit,
            max_text,
        } => strips::strips(&Asked::new(read, filters)?, *limit, *max_text, sink),
        Question::Sql { statement, limits } => sql::answer(statement, limits, sink, read),
        Question::Value {
            strip,
            variant,
            max_text,
        } => lookup::value(&read(*variant)?, strip, *max_text, sink),
    }
}

/// A question's subject: where to read, which classes, which values.
struct Asked<'s> {
    reader: Reader<'s>,
    selection: Selection,
    wanted: Wanted,
    /// The variant of which there is something, where there is nothing of the one asked about.
    instead: Option<Variant>,
}

impl<'s> Asked<'s> {
    fn new(read: &dyn Fn(Variant) -> Result<Reader<'s>>, filters: &Filters) -> Result<Self> {
        let reader = read(filters.variant)?;
        let selection = Selection::new(&reader, filters)?;
        let condition = filters.condition.as_deref();
        let satisfying = condition
            .map(|condition| sql::values_where(condition, read))
            .transpose()?;
        let wanted = Wanted::new(&reader, filters, satisfying)?;
        let mut instead = None;
        if reader.records.is_empty() {
            for variant in Variant::ALL {
                if !read(variant)?.records.is_empty() {
                    instead = Some(variant);
                }
            }
        }
        Ok(Self {
            reader,
            selection,
            wanted,
            instead,
        })
    }

    /// The columns and the notes: the beginning of every answer. Partial figures carry two columns more.
    fn begin(&self, columns: &[Column], sink: &mut dyn RowSink) -> ControlFlow<()> {
        match self.instead {
            Some(instead) => sink.note(&format!(
                "the store has nothing of the {} census, but of the {instead} one: ask with --variant {instead}",
                self.reader.variant
            )),
            None => {
                for note in self.selection.notes() {
                    sink.note(&note);
                }
            }
        }
        sink.columns(columns)
    }
}
