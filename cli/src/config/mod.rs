//! Settings: flag, then `TOADS_*` environment, then `toads.toml`, then default.
//!
//! A setting is a flag that also has an environment variable; its key in `toads.toml` is the long name of the flag.
//! Nothing here lists them: they are read off the command line's own definition, so the three cannot drift apart.

mod file;

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::failure::{Failure, Result};
use file::Entry;

/// The name of the file.
pub(crate) const FILE_NAME: &str = "toads.toml";

/// One setting as `config show` prints it.
pub(crate) struct Shown {
    /// The key in `toads.toml`.
    pub(crate) key: String,
    /// The value in force; empty where there is none.
    pub(crate) value: String,
    /// `flag`, `env TOADS_…`, `file path:line` or `default`.
    pub(crate) origin: String,
}

/// What the environment and the files say.
#[derive(Clone)]
pub(crate) struct Settings {
    known: Vec<Arg>,
    entries: Vec<Entry>,
}

impl Settings {
    /// Reads `toads.toml` in the current folder and in the user's configuration folder; the nearer one wins, key by
    /// key. Checks every value, there and in the environment, with the flag's own reader.
    pub(crate) fn load(command: &Command) -> Result<Self> {
        let mut known = Vec::new();
        collect(command, &mut known);
        let mut entries: Vec<Entry> = Vec::new();
        for path in places() {
            for entry in file::read(&path)? {
                let Some(arg) = known.iter().find(|arg| arg.get_long() == Some(&entry.key)) else {
                    return Err(unknown(&entry, &known));
                };
                check(arg, &entry.value, &entry.origin())?;
                if !entries.iter().any(|nearer| nearer.key == entry.key) {
                    entries.push(entry);
                }
            }
        }
        for arg in &known {
            let Some((name, value)) = environment(arg) else {
                continue;
            };
            check(arg, &value, &name)?;
        }
        Ok(Self { known, entries })
    }

    /// Makes the files' values the defaults of the flags.
    pub(crate) fn apply(&self, command: Command) -> Command {
        command
            .mut_args(|arg| match self.entry(&arg) {
                // Clap keeps defaults for the life of the program; so may these few words.
                Some(entry) if arg.get_env().is_some() => {
                    arg.default_value(&*entry.value.clone().leak())
                }
                _ => arg,
            })
            .mut_subcommands(|verb| self.apply(verb))
    }

    /// Every setting, its value and where that came from.
    pub(crate) fn show(&self, matches: &ArgMatches) -> Vec<Shown> {
        let mut shown: Vec<_> = self
            .known
            .iter()
            .map(|arg| self.show_one(arg, matches))
            .collect();
        shown.sort_by(|a, b| a.key.cmp(&b.key));
        shown
    }

    fn show_one(&self, arg: &Arg, matches: &ArgMatches) -> Shown {
        let key = arg.get_long().unwrap_or_default().to_owned();
        let id = arg.get_id().as_str();
        let given = matches.try_contains_id(id).is_ok()
            && matches.value_source(id) == Some(ValueSource::CommandLine);
        if given {
            let raw = matches
                .get_raw(id)
                .into_iter()
                .flatten()
                .map(|value| value.to_string_lossy().into_owned());
            let value = raw.collect::<Vec<_>>().join(" ");
            return Shown {
                key,
                value: if value.is_empty() {
                    "true".to_owned()
                } else {
                    value
                },
                origin: "flag".to_owned(),
            };
        }
        if let Some((name, value)) = environment(arg) {
            return Shown {
                key,
                value,
                origin: format!("env {name}"),
            };
        }
        if let Some(entry) = self.entry(arg) {
            return Shown {
                key,
                value: entry.value.clone(),
                origin: format!("file {}", entry.origin()),
            };
        }
        let defaults = arg
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy().into_owned());
        Shown {
            key,
            value: defaults.collect::<Vec<_>>().join(" "),
            origin: "default".to_owned(),
        }
    }

    fn entry(&self, arg: &Arg) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| arg.get_long() == Some(&entry.key))
    }
}

/// The files that may exist, the nearest first.
fn places() -> Vec<PathBuf> {
    let user = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config")));
    let mut places = vec![PathBuf::from(FILE_NAME)];
    places.extend(user.map(|user| user.join("toads").join(FILE_NAME)));
    places
}

/// All settings of a command and its verbs, each key once.
fn collect(command: &Command, known: &mut Vec<Arg>) {
    for arg in command.get_arguments() {
        let is_setting = arg.get_env().is_some() && arg.get_long().is_some();
        if is_setting && !known.iter().any(|other| other.get_long() == arg.get_long()) {
            known.push(arg.clone());
        }
    }
    command
        .get_subcommands()
        .for_each(|verb| collect(verb, known));
}

/// The variable of a setting, when it is set.
fn environment(arg: &Arg) -> Option<(String, String)> {
    let name = arg.get_env()?;
    let value = std::env::var_os(name)?;
    Some((
        name.to_string_lossy().into_owned(),
        value.to_string_lossy().into_owned(),
    ))
}

/// Reads a value the way the flag would.
fn check(arg: &Arg, value: &str, origin: &str) -> Result<()> {
    let key = arg.get_long().unwrap_or_default();
    // A switch takes its value from the environment or a file only; give it one to try the reader on.
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let arg = if takes_value {
        arg.clone()
    } else {
        arg.clone()
            .action(ArgAction::Set)
            .num_args(1)
            .default_missing_value(None::<&str>)
    };
    let command = Command::new("toads")
        .no_binary_name(true)
        .disable_help_flag(true)
        .arg(arg.global(false));
    match command.try_get_matches_from([format!("--{key}={value}")]) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let line = text
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("error: ")
                .to_owned();
            let choices = text
                .lines()
                .find_map(|line| line.trim().strip_prefix("[possible values: "));
            let choices = choices.map_or_else(String::new, |list| {
                format!("; use one of {}", list.trim_end_matches(']'))
            });
            Err(Failure::Input(format!("{origin}: {line}{choices}")))
        }
    }
}

fn unknown(entry: &Entry, known: &[Arg]) -> Failure {
    let mut keys: Vec<_> = known.iter().filter_map(|arg| arg.get_long()).collect();
    keys.sort_unstable();
    Failure::Input(format!(
        "{}: unknown key `{}`; the keys are {}",
        entry.origin(),
        entry.key,
        keys.join(", ")
    ))
}
