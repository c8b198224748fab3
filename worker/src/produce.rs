//! A result as a stream of messages.

use toads_census::{EvaluateError, chunks};
use toads_fault::Point;
use toads_game::Value;
use toads_wire::v1::submit_request::Part;
use toads_wire::{BATCH_BYTES, convert, v1};

use crate::evaluate::Evaluated;
use crate::task::Task;

/// Tally entries in a message: at most 50 bytes each.
const TALLY_BATCH: usize = 8_192;

/// The stream ended before it was complete: the coordinator has answered already, the lease was taken back, or the
/// result cannot be put into words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// Nobody reads any more.
    Closed,
    /// Revoked or told to stop.
    Cancelled,
    /// For the coordinator.
    Failed(String),
}

/// Passes header, forms, tally, blocks and trailer to `send`. Blocks; call it off the async threads.
pub(crate) fn produce(
    task: &Task,
    evaluated: &Evaluated,
    worker: Option<v1::WorkerKey>,
    missing: Vec<Value>,
    send: &dyn Fn(Part) -> Result<(), Broken>,
) -> Result<(), Broken> {
    let send = &|part: Part| {
        task.step();
        let is_last = matches!(part, Part::Trailer(_));
        let sent = send(part);
        if !is_last {
            toads_fault::pass(Point::WorkerStream);
        }
        sent
    };
    toads_fault::pass(Point::WorkerSubmit);
    send(Part::Header(v1::SubmitHeader {
        worker,
        key: Some(task.key()),
        keep: convert::to_keep(task.keep_blocks).into(),
        evaluate_ms: evaluated.evaluate_ms,
    }))?;
    forms(evaluated, missing, send)?;
    for entries in evaluated.finished.result.tally.chunks(TALLY_BATCH) {
        send(Part::Tally(v1::SubmitTally {
            entries: entries.iter().map(convert::to_tally_entry).collect(),
        }))?;
    }
    let block_bytes = if task.keep_blocks {
        blocks(task, evaluated, send)?
    } else {
        0
    };
    send(Part::Trailer(v1::SubmitTrailer {
        digest: convert::to_digest(evaluated.finished.result.digest),
        strips: evaluated.class.len(),
        distinct: evaluated.finished.result.tally.len() as u64,
        blocks: if task.keep_blocks {
            chunks(task.shard.class)
        } else {
            0
        },
        block_bytes,
    }))
}

fn forms(
    evaluated: &Evaluated,
    missing: Vec<Value>,
    send: &dyn Fn(Part) -> Result<(), Broken>,
) -> Result<(), Broken> {
    let expected = missing.len();
    let (mut forms, mut bytes, mut sent) = (Vec::new(), 0, 0);
    for form in evaluated.shared.forms(missing) {
        let form = form.map_err(|error| Broken::Failed(error.to_string()))?;
        let size = convert::form_bytes(&form);
        if bytes + size > BATCH_BYTES && !forms.is_empty() {
            send(Part::Forms(v1::SubmitForms {
                forms: std::mem::take(&mut forms),
            }))?;
            bytes = 0;
        }
        bytes += size;
        sent += 1;
        forms.push(convert::to_form(&form));
    }
    if sent < expected {
        return Err(Broken::Failed(
            "the thread that writes forms has died".into(),
        ));
    }
    if forms.is_empty() {
        Ok(())
    } else {
        send(Part::Forms(v1::SubmitForms { forms }))
    }
}

fn blocks(
    task: &Task,
    evaluated: &Evaluated,
    send: &dyn Fn(Part) -> Result<(), Broken>,
) -> Result<u64, Broken> {
    let (mut batch, mut bytes, mut total) = (Vec::new(), 0, 0);
    let mut broken = None;
    let mut emit = |number: u32, data: Vec<u8>| {
        total += data.len() as u64;
        if bytes + data.len() > BATCH_BYTES && !batch.is_empty() {
            bytes = 0;
            let blocks = std::mem::take(&mut batch);
            send(Part::Blocks(v1::SubmitBlocks { blocks })).map_err(|why| {
                broken = Some(why);
                EvaluateError::Sink("nobody reads".into())
            })?;
        }
        bytes += data.len() + 16;
        batch.push(v1::Block { number, data });
        Ok(())
    };
    let packed = evaluated
        .class
        .blocks(&evaluated.finished, 1, &task.control, &mut emit);
    if let Some(why) = broken {
        return Err(why);
    }
    packed.map_err(|error| match error {
        EvaluateError::Cancelled => Broken::Cancelled,
        error => Broken::Failed(error.to_string()),
    })?;
    if !batch.is_empty() {
        send(Part::Blocks(v1::SubmitBlocks { blocks: batch }))?;
    }
    Ok(total)
}
