//! The strips of 1–9 squares as the store of a census has them.

use std::ops::ControlFlow;

use toads_claims::{PAGE_SQUARES, PageTally};
use toads_dataset::{Cell, Column, Filters, Question, RowSink, answer};
use toads_game::Dyadic;
use toads_strip::{Strip, Variant};

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::source::Source;

/// Their tally, if there is a store that has them all. A store that was named on the command line must have them; any
/// other one may be missing, which is said.
pub(super) fn page(context: &Context) -> Result<Option<PageTally>> {
    let named = context.is_flag("store") || context.is_flag("coordinator");
    match read(context) {
        Ok(tally) => Ok(Some(tally)),
        Err(failure) if named => Err(failure),
        Err(_) => {
            if context.globals.quiet == 0 {
                console::line(
                    "note: no store was read: figures of 1–9 squares are from enumeration and from count; with --store DIR \
                     those of a census are compared as well",
                );
            }
            Ok(None)
        }
    }
}

fn read(context: &Context) -> Result<PageTally> {
    let question = Question::Strips {
        filters: Filters::of(Variant::Hopless).squares(1..=PAGE_SQUARES as u8),
        limit: None,
        max_text: None,
    };
    let mut counting = Counting::default();
    match &Source::reading(context)? {
        Source::Store(store) => answer(store.as_ref(), &question, &mut counting)?,
        Source::Remote(remote) => remote.answer(&question, &mut counting)?,
    }
    if let Some(row) = counting.odd_row {
        return Err(Failure::Failed(format!(
            "the store answers with a row that is no strip and value: {row}"
        )));
    }
    if counting.tally.strips() == PageTally::all_strips() {
        return Ok(counting.tally);
    }
    Err(Failure::Input(format!(
        "the store has {} of the {} hopless strips of 1–{PAGE_SQUARES} squares; `toads census run --variant hopless --squares \
         1..{PAGE_SQUARES}` computes them",
        counting.tally.strips(),
        PageTally::all_strips()
    )))
}

/// Counts rows `strip value`.
#[derive(Default)]
struct Counting {
    tally: PageTally,
    odd_row: Option<String>,
}

impl RowSink for Counting {
    fn columns(&mut self, _: &[Column]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn row(&mut self, cells: &[Cell]) -> ControlFlow<()> {
        let text = |at: usize| cells.get(at).map(ToString::to_string).unwrap_or_default();
        let strip = Strip::parse(&text(0)).ok();
        let Some(strip) = strip.filter(|strip| strip.len() <= PAGE_SQUARES as usize) else {
            self.odd_row = Some(text(0));
            return ControlFlow::Break(());
        };
        self.tally.add(&strip, text(1).parse::<Dyadic>().is_ok());
        ControlFlow::Continue(())
    }

    fn note(&mut self, _: &str) {}
}
