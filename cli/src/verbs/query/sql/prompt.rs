//! The prompt: lines with history, until a statement ends with a semicolon.

use std::env;
use std::fs;
use std::path::PathBuf;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use toads_dataset::sql;

use super::{Asking, schema};
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::print;

const HELP: &str = "\
Statements end with a semicolon and may have several lines. Ctrl-C ends the one that runs, Ctrl-D the prompt.
  .tables          the tables
  .schema [TABLE]  their columns
  .help            this
  .quit            the end
";

/// Asks and answers until the end.
pub(super) fn run(asking: &Asking<'_>) -> Result<()> {
    let failed =
        |error: ReadlineError| Failure::failed(format_args!("cannot read the terminal: {error}"));
    let mut editor = DefaultEditor::new().map_err(failed)?;
    let history = history();
    if let Some(path) = &history {
        // No history yet is no trouble.
        let _ = editor.load_history(path);
    }
    print(".help tells what can be typed here\n")?;
    let mut typed = String::new();
    loop {
        let sign = if typed.is_empty() {
            "toads> "
        } else {
            "   ...> "
        };
        match editor.readline(sign) {
            Ok(line) => typed = entered(asking, &mut editor, typed, &line)?,
            Err(ReadlineError::Interrupted) => typed.clear(),
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(failed(error)),
        }
        if typed == ".quit" {
            break;
        }
    }
    if let Some(path) = &history {
        let saved = path.parent().map_or(Ok(()), fs::create_dir_all);
        if saved.is_err() || editor.save_history(path).is_err() {
            console::line(&format!(
                "the history could not be written to {}",
                path.display()
            ));
        }
    }
    Ok(())
}

/// Takes a line; what is typed and not done yet, or `.quit`.
fn entered(
    asking: &Asking<'_>,
    editor: &mut DefaultEditor,
    typed: String,
    line: &str,
) -> Result<String> {
    if typed.is_empty() && line.trim().is_empty() {
        return Ok(typed);
    }
    if typed.is_empty() && line.trim_start().starts_with('.') {
        let _ = editor.add_history_entry(line);
        return command(line.trim());
    }
    let typed = if typed.is_empty() {
        line.to_owned()
    } else {
        typed + "\n" + line
    };
    if !sql::is_complete(&typed) {
        return Ok(typed);
    }
    let _ = editor.add_history_entry(&typed);
    match asking.all(&typed) {
        Err(Failure::OutputClosed) => return Err(Failure::OutputClosed),
        Err(failure) => console::error(&failure.to_string()),
        Ok(()) => {}
    }
    Ok(String::new())
}

fn command(line: &str) -> Result<String> {
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match name {
        ".quit" | ".exit" => return Ok(".quit".to_owned()),
        ".help" => print(HELP)?,
        ".tables" => print(&schema::names())?,
        ".schema" => match schema::columns(rest.trim()) {
            Some(text) => print(&text)?,
            None => console::error(&format!("no table `{}`; .tables lists them", rest.trim())),
        },
        _ => console::error(&format!("`{name}` is not a command; .help lists them")),
    }
    Ok(String::new())
}

/// Where the history is kept: `toads/sql_history` where programs keep their state.
fn history() -> Option<PathBuf> {
    let state = env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty());
    let folder = state.map(PathBuf::from).or_else(|| {
        let home = env::var_os("HOME").filter(|path| !path.is_empty())?;
        Some(PathBuf::from(home).join(".local/state"))
    })?;
    Some(folder.join("toads/sql_history"))
}
