//! The `toads` command: every role and every question of the census in one binary.
//!
//! | module | what lives there |
//! |---|---|
//! | [`app`] | the frame: arguments, settings, dispatch, exit codes |
//! | [`args`] | what is common to all verbs, and the list of verbs |
//! | [`verbs`] | one thin module per verb |
//! | [`config`] | `toads.toml`, the environment, and where each setting came from |
//! | [`access`] | tokens, certificates, keys |
//! | [`source`] | whom to ask: a store, its holder, or a coordinator |
//! | [`evaluate`] | the value of a single strip of any length |
//! | [`output`] | tables on standard output in four formats |
//! | [`console`], [`logging`], [`progress`] | what a person sees on standard error |
//! | [`failure`] | typed failures and their exit codes |
//!
//! Results go to standard output, everything else to standard error.

#![allow(
    clippy::doc_markdown,
    reason = "the documentation of arguments is their help text, shown as it stands"
)]

mod access;
mod app;
mod args;
mod argv;
mod config;
mod console;
mod evaluate;
mod failure;
#[cfg(test)]
mod fuzz;
mod logging;
mod memory;
mod output;
mod progress;
mod signals;
mod source;
mod units;
mod verbs;

fn main() -> std::process::ExitCode {
    app::main()
}
