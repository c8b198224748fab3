//! The cells as a person writes them: tab-separated, one header line, a column `strip`, every other column a parameter.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toads_strip::Variant;
use toads_survey::{Budget, Cell, Survey};

use crate::failure::{Failure, Result};
use crate::units;

/// Which cells, and what each may take
#[derive(clap::Args, Debug)]
pub(crate) struct Asked {
    /// The cells: tab-separated, a header line with a column `strip`, every other column a parameter; - reads standard
    /// input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What the survey is called; part of what is asked
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,

    /// The most positions looked at for a cell [default: no limit]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    budget_nodes: u64,

    /// The longest time for a cell [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    budget_time: Option<Duration>,
}

impl Asked {
    /// Reads the cells.
    pub(crate) fn survey(&self, variant: Variant) -> Result<Survey> {
        let is_stdin = self.file == Path::new("-");
        let read = if is_stdin {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        } else {
            std::fs::read_to_string(&self.file)
        };
        let text = read.map_err(|error| Failure::path("read", &self.file, &error))?;
        let name = if is_stdin {
            "standard input".to_owned()
        } else {
            self.file.display().to_string()
        };
        let cells = cells(&text).map_err(|why| Failure::Input(format!("{name}, {why}")))?;
        let milliseconds = self.budget_time.map_or(0, |time| time.as_millis() as u64);
        let budget = Budget {
            nodes: self.budget_nodes,
            milliseconds,
        };
        Survey::new(self.title.clone(), variant, budget, cells)
            .map_err(|error| Failure::Input(format!("{name}: {error}")))
    }
}

/// The cells of a text; an error begins with the line.
fn cells(text: &str) -> Result<Vec<Cell>, String> {
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let (at, header) = lines.next().ok_or(
        "line 1: a header is missing; write the names of the columns, one of them `strip`",
    )?;
    let names: Vec<&str> = header.split('\t').map(str::trim).collect();
    if names.iter().filter(|&&name| name == "strip").count() != 1 {
        return Err(format!(
            "line {at}: the header has to name one column `strip`, and found are: {}",
            names.join(", ")
        ));
    }
    lines
        .map(|(at, line)| cell(&names, line).map_err(|why| format!("line {at}: {why}")))
        .collect()
}

fn cell(names: &[&str], line: &str) -> Result<Cell, String> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    if fields.len() != names.len() {
        return Err(format!(
            "{} fields, the header has {}; separate them by tabs",
            fields.len(),
            names.len()
        ));
    }
    let (mut labels, mut strip) = (Vec::new(), "");
    for (&name, field) in names.iter().zip(fields) {
        if name == "strip" {
            strip = field;
        } else {
            let value = field
                .parse::<i64>()
                .map_err(|_| format!("{name} is `{field}`, which is not a whole number"))?;
            labels.push((name, value));
        }
    }
    toads_strip::Strip::parse(strip)
        .map_err(|error| format!("`{strip}` is not a strip: {error}"))?;
    Ok(Cell::new(labels, strip))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_with_their_parameters_wherever_the_strip_stands() {
        let text = "# a comment\na\tstrip\tb\n\n1\tT^2 . F\t-3\n2\t.\t4\n";
        let read = cells(text).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].strip, "T^2 . F");
        let labels = [("a".to_owned(), 1), ("b".to_owned(), -3)];
        assert_eq!(read[0].labels, labels);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, says) in [
            ("", "line 1: a header is missing"),
            (
                "a\tb\n",
                "line 1: the header has to name one column `strip`",
            ),
            ("a\tstrip\n1 T\n", "line 2: 1 fields, the header has 2"),
            ("a\tstrip\n\nx\tT\n", "line 3: a is `x`"),
            ("a\tstrip\n1\tTX\n", "line 2: `TX` is not a strip"),
        ] {
            let error = cells(text).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
    }
}
