//! How long answers, exports and audits take: `measure FOLDER N [WHAT]` makes a store of all hop strips of 1 to N squares in
//! FOLDER, unless it is there, and prints a line for each question (whose name begins with WHAT).

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use toads_census::{Control, Forms, KnownValues, evaluate, forms, plan};
use toads_dataset::audit::{AuditOptions, audit};
use toads_dataset::export::{ExportOptions, Format, export};
use toads_dataset::{Filters, Question, Table, answer};
use toads_game::{Arena, Kind};
use toads_store::{OpenOptions, RocksStore, ShardRecord, Store};
use toads_strip::Variant;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(last)) = (
        arguments.next(),
        arguments.next().and_then(|last| last.parse::<u8>().ok()),
    ) else {
        return Err("usage: measure FOLDER N [WHAT]".into());
    };
    let only = arguments.next().unwrap_or_default();
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("hop-{last}.db"));
    let store = if path.exists() {
        RocksStore::open(&path, &OpenOptions::default())?
    } else {
        let store = RocksStore::open(&path, &OpenOptions::creating())?;
        timed("census", || census(&store, last))?;
        store
    };
    let whole = Filters::default();
    let at = || Filters::default().squares(last..=last);
    let questions = [
        (
            "summary",
            Question::Summary {
                filters: whole.clone(),
            },
        ),
        (
            "summary again",
            Question::Summary {
                filters: whole.clone(),
            },
        ),
        (
            "outcomes",
            Question::Outcomes {
                filters: whole.clone(),
            },
        ),
        (
            "kinds",
            Question::Kinds {
                filters: whole.clone(),
            },
        ),
        (
            "temperatures",
            Question::Temperatures {
                filters: whole.clone(),
            },
        ),
        ("classes of n", Question::Classes { filters: at() }),
        (
            "values, top 20",
            Question::Values {
                filters: whole.clone(),
                limit: Some(20),
                max_text: Some(60),
            },
        ),
        (
            "tinies, top 20",
            Question::Values {
                filters: Filters {
                    kind: Some(Kind::Tiny),
                    ..whole.clone()
                },
                limit: Some(20),
                max_text: Some(60),
            },
        ),
        (
            "strips worth *2, 20",
            Question::Strips {
                filters: at().value("*2"),
                limit: Some(20),
                max_text: None,
            },
        ),
        (
            "strips worth *2",
            Question::Strips {
                filters: at().value("*2"),
                limit: None,
                max_text: None,
            },
        ),
        (
            "strips worth 0",
            Question::Strips {
                filters: at().value("0"),
                limit: None,
                max_text: None,
            },
        ),
        (
            "one strip",
            Question::Value {
                strip: "T".repeat(last as usize / 2) + "." + &"F".repeat(last as usize / 2 - 1),
                variant: Variant::Hop,
                max_text: Some(60),
            },
        ),
    ];
    for (name, question) in questions
        .into_iter()
        .filter(|(name, _)| name.starts_with(&only))
    {
        let table = timed(name, || {
            let mut table = Table::default();
            answer(&store, &question, &mut table).map(|()| table)
        })?;
        println!(
            "    {} rows; the last: {}",
            table.rows.len(),
            table.rows.last().map_or(String::new(), |row| row
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" "))
        );
    }
    for format in [Format::Parquet, Format::Csv] {
        if !"export".starts_with(&only) {
            continue;
        }
        let out = folder.join(format!("hop-{last}-{format}"));
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        let options = ExportOptions {
            variants: vec![Variant::Hop],
            ..ExportOptions::new(format)
        };
        let manifest = timed(&format!("export {format}"), || {
            export(&store, &out, &options, &mut |_| ControlFlow::Continue(()))
        })?;
        println!(
            "    {} bytes",
            manifest.files.iter().map(|file| file.bytes).sum::<u64>()
        );
    }
    for one_in in [100, 1] {
        if !"audit".starts_with(&only) {
            continue;
        }
        let options = AuditOptions {
            one_in,
            ..AuditOptions::default()
        };
        let summary = timed(&format!("audit, one in {one_in}"), || {
            audit(
                &store,
                &options,
                &mut |_| ControlFlow::Continue(()),
                &mut |finding| println!("{finding}"),
            )
        })?;
        println!("    {summary:?}");
    }
    Ok(())
}

fn timed<T, E>(name: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let start = Instant::now();
    let result = work();
    println!(
        "{name}: {:.3} s, peak memory {} MB",
        start.elapsed().as_secs_f64(),
        peak_megabytes()
    );
    result
}

fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok())
        .unwrap_or(0)
        / 1024
}

fn census(store: &dyn Store, last: u8) -> Result<(), Error> {
    let mut arena = Arena::with_capacity_bytes(4 << 30);
    let mut known = KnownValues::default();
    for shard in plan::shards(Variant::Hop, 1..=last) {
        if arena.memory_bytes() > 3 << 30 {
            (arena, known) = (Arena::with_capacity_bytes(4 << 30), KnownValues::default());
        }
        let control = Control::default();
        let evaluated = evaluate(&arena, shard, 2, &control)?;
        let finished = evaluated.tally(&arena, 2, &control)?;
        let mut writer = Forms::new(&arena);
        let values = forms::closure(&arena, &finished.distinct, &mut known);
        let values = values
            .into_iter()
            .map(|value| writer.form(value))
            .collect::<Result<Vec<_>, _>>()?;
        store.put_values(&values)?;
        let (mut blocks, mut block_bytes) = (0, 0);
        evaluated.blocks(&finished, 2, &control, &mut |number, bytes| {
            blocks += 1;
            block_bytes += bytes.len() as u64;
            store
                .put_blocks(shard, &[(number, bytes)])
                .map_err(|error| toads_census::EvaluateError::Sink(error.to_string()))
        })?;
        let record = ShardRecord {
            shard,
            digest: finished.result.digest,
            strips: shard.strips(),
            distinct: finished.result.tally.len() as u64,
            blocks,
            block_bytes,
            epoch: 1,
            worker: "measure".to_owned(),
            committed_ms: 0,
            evaluate_ms: 0,
        };
        store.commit(&record, &finished.result, &[])?;
    }
    Ok(())
}
