//! `toads.toml`: a flat table of settings, with the line of each for messages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use crate::failure::{Failure, Result, plain};

/// One line `key = value`.
#[derive(Clone)]
pub(super) struct Entry {
    /// The long name of a flag.
    pub(super) key: String,
    /// As it would stand on the command line.
    pub(super) value: String,
    path: PathBuf,
    line: usize,
}

impl Entry {
    /// `path:line`.
    pub(super) fn origin(&self) -> String {
        format!("{}:{}", self.path.display(), self.line)
    }
}

/// The entries of a file; none when there is no such file.
pub(super) fn read(path: &Path) -> Result<Vec<Entry>> {
    let text = match text_of(path) {
        Ok(text) => text,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => {
            return Err(Failure::Input(format!(
                "cannot read {}: {}",
                path.display(),
                plain(&error)
            )));
        }
    };
    parse(path, &text)
}

/// Bytes that a file of settings may have.
const MOST: u64 = 1 << 20;

/// The whole file, if it is one: what never ends is not read.
fn text_of(path: &Path) -> io::Result<String> {
    let other = |what: &str| Err(io::Error::other(what.to_owned()));
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return other("it is not a file");
    }
    if kind.len() > MOST {
        return other("it is longer than 1 MiB");
    }
    fs::read_to_string(path)
}

fn parse(path: &Path, text: &str) -> Result<Vec<Entry>> {
    let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let place = |at: usize| format!("{}:{}", path.display(), line_of(at));
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Failure::Input(format!(
            "{}: {}; a line looks like `threads = 4`",
            place(at),
            error.message().replace('\n', " ")
        ))
    })?;
    let mut entries = Vec::new();
    for (key, value) in table.get_ref() {
        let at = key.span().start;
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(switch) => switch.to_string(),
            _ => {
                let what = format!(
                    "`{}` must be a text, a number, true or false",
                    key.get_ref()
                );
                return Err(Failure::Input(format!("{}: {what}", place(at))));
            }
        };
        entries.push(Entry {
            key: key.get_ref().to_string(),
            value: text,
            path: path.to_owned(),
            line: line_of(at),
        });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, String, String)>> {
        let entries = parse(Path::new("toads.toml"), text)?;
        Ok(entries
            .into_iter()
            .map(|entry| (entry.key.clone(), entry.value.clone(), entry.origin()))
            .collect())
    }

    #[test]
    fn entries_know_their_lines() {
        let entries =
            read("# mine\nstore = \"a.db\"\nthreads = 4\n\nno-progress = true\n").unwrap();
        let expected = [
            ("no-progress", "true", 5),
            ("store", "a.db", 2),
            ("threads", "4", 3),
        ];
        for (key, value, line) in expected {
            let entry = (
                key.to_owned(),
                value.to_owned(),
                format!("toads.toml:{line}"),
            );
            assert!(entries.contains(&entry), "{entry:?}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        for (text, start) in [
            ("store = \"a\"\nthreads 4\n", "toads.toml:2: "),
            ("store = [\"a\"]\n", "toads.toml:1: `store` must be"),
            ("store = \"a\"\nstore = \"b\"\n", "toads.toml:2: "),
        ] {
            let message = read(text).map(|_| ()).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
            assert!(!message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn fuzz_settings() {
        let seeds = [
            "# mine\nstore = \"a.db\"\nthreads = 4\n\nno-progress = true\n",
            "memory = '8GiB'\nshare = 0.25\n",
            "title = \"\"\"\nlong \\u0041\n\"\"\"\n",
            "'a b' = 1_000\nb = 0x10\nc = -inf\n",
        ];
        let words = &[
            "=", "\"", "\"\"\"", "[", "[a]", "{", ".", "\n", "#", "\\", "1e400", "\r",
        ];
        toads_fuzz::Fuzz::new("settings")
            .seeds(seeds)
            .words(words)
            .run(|input| {
                let text = String::from_utf8_lossy(input);
                let lines = text.matches('\n').count() + 1;
                match parse(Path::new("toads.toml"), &text) {
                    Ok(entries) => {
                        assert!(
                            entries
                                .iter()
                                .all(|entry| (1..=lines).contains(&entry.line))
                        );
                        true
                    }
                    Err(error) => {
                        toads_fuzz::assert_clear(&error);
                        false
                    }
                }
            });
    }
}
