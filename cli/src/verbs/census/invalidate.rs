//! `toads census invalidate`: results that are not believed any more.

use std::collections::BTreeSet;
use std::io::BufRead;

use toads_census::Shard;
use toads_store::{EventRecord, RocksStore, Selection, Store, StoreError};
use toads_strip::{Class, Variant};
use toads_wire::{convert, v1};

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::source::{Remote, Source, Whole, now_ms};
use crate::units::Squares;

/// Remove the results of shards, to be computed again
///
/// For what `toads census verify` or `toads db verify` found damaged, and for workers that are not to be trusted. All conditions
/// that are given must hold. On a store that nobody holds the next run computes what was removed; a coordinator begins at
/// once. Columns: shard state, where state is `removed` or, for a shard that was named, `not there`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads census invalidate hop/12/4/4
  toads census invalidate --worker node7-4711 --coordinator http://127.0.0.1:7433
  toads census invalidate --damaged
  toads census verify --format tsv | toads census invalidate -
  toads census run --squares 1..12                             computes what was removed")]
pub(crate) struct InvalidateArgs {
    /// The shards, such as hop/12/4/4; `-` reads them from standard input, the first word of each line
    #[arg(value_name = "SHARD")]
    shards: Vec<String>,

    /// Results of this worker: its name, or name#number for one registration, as `census events` shows it
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,

    /// Shards of so many squares: 7, or 1..12 with both ends
    #[arg(long, value_name = "A..B")]
    squares: Option<Squares>,

    /// The shard of this class: squares, toads and frogs; of both variants unless --variant is given
    #[arg(long, value_name = "N,TOADS,FROGS", value_parser = class)]
    class: Vec<Class>,

    /// Shards with rows that `toads db verify` finds damaged
    #[arg(long)]
    damaged: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &InvalidateArgs, context: &Context) -> Result<()> {
    let variant = context
        .is_flag("variant")
        .then_some(context.globals.variant);
    let named = named(args, variant)?;
    let mut shards = named.clone();
    if args.damaged {
        shards.get_or_insert_default().extend(damaged(context)?);
    }
    let selection = Selection {
        shards,
        worker: args.worker.clone(),
        variant,
        squares: args.squares.map(Squares::range),
    };
    if selection.is_empty() {
        return Err(Failure::input(
            "name shards, or give --worker, --squares, --class or --damaged; see `toads census invalidate --help`",
        ));
    }
    let removed = match Source::writing(context)? {
        Source::Store(store) => here(&store, &selection)?,
        Source::Remote(remote) => there(&remote, &selection)?,
    };
    let mut table = Table::open(context.globals.format, ["shard", "state"])?;
    for &shard in &removed {
        table.row(&[Cell::text(shard), Cell::from("removed")])?;
    }
    for shard in named.unwrap_or_default().difference(&removed) {
        table.row(&[Cell::text(shard), Cell::from("not there")])?;
    }
    table.close()?;
    if removed.is_empty() {
        console::line("no committed shard is meant by that; nothing was removed");
    }
    Ok(())
}

/// The shards that are named, one way or the other.
fn named(args: &InvalidateArgs, variant: Option<Variant>) -> Result<Option<BTreeSet<Shard>>> {
    let mut shards = BTreeSet::new();
    for text in &args.shards {
        if text == "-" {
            shards.extend(from_stdin()?);
        } else {
            shards.insert(text.parse::<Shard>().map_err(Failure::input)?);
        }
    }
    for class in &args.class {
        let of = |variant| Shard::whole(variant, *class);
        let variants = Variant::ALL.into_iter();
        shards.extend(
            variants
                .filter(|other| variant.is_none_or(|wanted| wanted == *other))
                .map(of),
        );
    }
    let is_named = !args.shards.is_empty() || !args.class.is_empty();
    Ok(is_named.then_some(shards))
}

/// The first word of each line; what `census verify` and `db verify` print in front of them, a header, is passed over.
fn from_stdin() -> Result<BTreeSet<Shard>> {
    let mut shards = BTreeSet::new();
    for (line, number) in std::io::stdin().lock().lines().zip(1..) {
        let line =
            line.map_err(|error| Failure::Input(format!("cannot read standard input: {error}")))?;
        let Some(word) = line.split([' ', '\t', ',']).find(|word| !word.is_empty()) else {
            continue;
        };
        match word.parse::<Shard>() {
            Ok(shard) => _ = shards.insert(shard),
            Err(_) if number == 1 && word == "shard" => {}
            Err(what) => {
                return Err(Failure::Input(format!(
                    "standard input, line {number}: {what}"
                )));
            }
        }
    }
    Ok(shards)
}

/// Reads the whole store; the shards that damaged rows name.
fn damaged(context: &Context) -> Result<BTreeSet<Shard>> {
    let whole = Whole::open(context)?;
    let (mut shards, mut others) = (BTreeSet::new(), 0);
    whole
        .store()
        .verify(&mut |damage| match shard_of(&damage) {
            Some(shard) => _ = shards.insert(shard),
            None => others += 1,
        })?;
    if others > 0 {
        console::warning(&format!(
            "{others} damaged rows belong to no shard; `toads db verify` names them and says what helps"
        ));
    }
    Ok(shards)
}

/// The shard in the place of a damage, such as `blocks, hop/12/4/4, block 3`.
fn shard_of(damage: &StoreError) -> Option<Shard> {
    let StoreError::Damaged { place, .. } = damage else {
        return None;
    };
    let name = place.split(", ").nth(1)?;
    name.parse().ok()
}

fn here(store: &RocksStore, selection: &Selection) -> Result<BTreeSet<Shard>> {
    let mut removed = BTreeSet::new();
    for record in store.shards(selection.variant)? {
        if !selection.covers(&record) {
            continue;
        }
        let event = EventRecord {
            sequence: store.next_event()?,
            at_ms: now_ms(),
            kind: "invalidated".to_owned(),
            shard: Some(record.shard),
            worker: String::new(),
            epoch: 0,
            detail: format!(
                "by `toads census invalidate`; it came from {}",
                record.worker
            ),
        };
        store.invalidate(record.shard, &[event])?;
        removed.insert(record.shard);
    }
    Ok(removed)
}

fn there(remote: &Remote, selection: &Selection) -> Result<BTreeSet<Shard>> {
    let shards = selection.shards.iter().flatten();
    let squares = selection.squares.as_ref();
    let variant = selection
        .variant
        .map(|variant| convert::to_variant(variant).into());
    let request = v1::InvalidateRequest {
        shards: shards.map(|&shard| convert::to_shard(shard)).collect(),
        worker: selection.worker.clone().unwrap_or_default(),
        variant: variant.unwrap_or_default(),
        first_squares: squares.map_or(0, |squares| (*squares.start()).into()),
        last_squares: squares.map_or(0, |squares| (*squares.end()).into()),
    };
    // Nothing was found damaged: over the wire no shards would mean any.
    if selection.shards.as_ref().is_some_and(BTreeSet::is_empty) {
        return Ok(BTreeSet::new());
    }
    let answer = remote.call(|mut client| async move { client.invalidate(request).await })?;
    let shard = |shard| convert::shard(Some(shard)).map_err(Failure::failed);
    answer.invalidated.iter().map(shard).collect()
}

/// Reads `12,4,3`; more frogs than toads mean the mirror image, which is the shard that is computed.
fn class(text: &str) -> Result<Class, String> {
    let wrong =
        || format!("`{text}` is not a class; write 12,4,3 for 12 squares, 4 toads and 3 frogs");
    let numbers: Vec<usize> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|_| wrong()))
        .collect::<Result<_, _>>()?;
    let [n, toads, frogs] = numbers[..] else {
        return Err(wrong());
    };
    let class = Class::new(n, toads, frogs).map_err(|error| error.to_string())?;
    Ok(if class.is_computed() {
        class
    } else {
        class.mirror()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_squares_toads_and_frogs() {
        let read = |text: &str| class(text).map(|Class { n, toads, frogs }| (n, toads, frogs));
        assert_eq!(read("12,4,3"), Ok((12, 4, 3)));
        assert_eq!(read("12, 3, 4"), Ok((12, 4, 3)));
        for text in ["", "12", "12,4", "12,4,3,1", "a,b,c", "3,2,2"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_place_of_a_damage_names_its_shard() {
        let at = |place: &str| {
            let damage = StoreError::Damaged {
                place: place.to_owned(),
                what: "checksum".to_owned(),
            };
            shard_of(&damage).map(|shard| shard.to_string())
        };
        let shard = Some("hop/12/4/4".to_owned());
        for place in [
            "shards, hop/12/4/4",
            "tallies, hop/12/4/4, part 0",
            "blocks, hop/12/4/4, block 3",
        ] {
            assert_eq!(at(place), shard, "{place}");
        }
        assert_eq!(at("values, key 00ff"), None);
        assert_eq!(at("ids"), None);
    }
}
