//! Answers: one file for each question.

mod classes;
mod counts;
mod lookup;
mod names;
mod strips;
mod strips_of_value;
mod summary;
mod values;
mod wanted;

use std::ops::ControlFlow;

use toads_store::Store;

use crate::error::Result;
use crate::question::{Filters, Question};
use crate::read::{Reader, Selection};
use crate::rows::{Column, RowSink};

pub(crate) use lookup::negative;
pub(crate) use names::Names;

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
    read: impl FnOnce(toads_strip::Variant) -> Result<Reader<'s>>,
) -> Result<()> {
    match question {
        Question::Summary { filters } => summary::summary(&Asked::new(read, filters)?, sink),
        Question::Outcomes { filters } => summary::outcomes(&Asked::new(read, filters)?, sink),
        Question::Kinds { filters } => summary::kinds(&Asked::new(read, filters)?, sink),
        Question::Temperatures { filters } => {
            summary::temperatures(&Asked::new(read, filters)?, sink)
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
    wanted: wanted::Wanted,
}

impl<'s> Asked<'s> {
    fn new(
        read: impl FnOnce(toads_strip::Variant) -> Result<Reader<'s>>,
        filters: &Filters,
    ) -> Result<Self> {
        let reader = read(filters.variant)?;
        let selection = Selection::new(&reader, filters)?;
        let wanted = wanted::Wanted::new(&reader, filters)?;
        Ok(Self {
            reader,
            selection,
            wanted,
        })
    }

    /// The columns and the notes: the beginning of every answer. Partial figures carry two columns more.
    fn begin(&self, columns: &[Column], sink: &mut dyn RowSink) -> ControlFlow<()> {
        for note in self.selection.notes() {
            sink.note(&note);
        }
        sink.columns(columns)
    }
}
