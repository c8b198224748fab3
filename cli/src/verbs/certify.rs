//! `toads certify`: checks a certificate, with code that shares nothing with the search that wrote it.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use toads_search::certify;

use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::output::{self, Cell, Format, Table};
use crate::units;

/// Check a certificate that `toads compare --certificate` wrote
///
/// Prints what the certificate proves. It is checked move by move by code that knows the rules of the game and
/// nothing of the search; docs/CERTIFICATES.md has the format, which a person can read as well. Exit code 1 means that it proves
/// nothing.
///
/// --format tsv, csv and json have the columns variant left relation right nodes.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads compare 'T^3 .^3 F^3' 0 --certificate zero.txt
  toads certify zero.txt")]
pub(crate) struct CertifyArgs {
    /// The certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the verb.
pub(crate) fn run(args: &CertifyArgs, context: &Context) -> Result<()> {
    let wrong = |error: &std::io::Error| Failure::path("read", &args.file, error);
    let file = File::open(&args.file).map_err(|error| wrong(&error))?;
    // One byte more than is accepted, so that a larger file is refused and not cut.
    let mut bytes = Vec::new();
    file.take(certify::MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| wrong(&error))?;
    let name = args.file.display();
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::failed(format_args!("{name}: this is no text, and no certificate"))
    })?;
    let proved = certify::certify(&text)
        .map_err(|error| Failure::failed(format_args!("{name}: {error}")))?;
    let variant = context.globals.variant;
    if context.is_flag("variant") && proved.variant != variant.to_string() {
        return Err(Failure::Failed(format!(
            "{name}: a proof under the rules {}, not {variant}",
            proved.variant
        )));
    }
    match context.globals.format {
        Format::Text => output::print(&format!(
            "proved: {} {} {}  ({}, {} positions)\n",
            proved.left,
            proved.relation,
            proved.right,
            proved.variant,
            units::show_count(proved.nodes as u64)
        )),
        format => {
            let mut table = Table::open(format, ["variant", "left", "relation", "right", "nodes"])?;
            table.row(&[
                Cell::from(proved.variant),
                Cell::from(proved.left),
                Cell::from(proved.relation),
                Cell::from(proved.right),
                Cell::from(proved.nodes),
            ])?;
            table.close().map(drop)
        }
    }
}
