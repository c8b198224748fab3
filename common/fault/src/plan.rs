//! Rules: what happens at which point, how often, and how they are written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::point::Point;

/// How often a process that holds looks whether it may go on.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// What happens at a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// `abort`: the process ends at once, by SIGABRT: nothing is flushed, closed or said, as with SIGKILL, and yet whoever
    /// waits for it can tell the two apart.
    Abort,
    /// `panic`: the thread panics.
    Panic,
    /// `delay:MS`: so many milliseconds pass.
    Delay(Duration),
    /// `hold:FILE`: writes FILE, and goes on once `FILE.go` exists.
    Hold(PathBuf),
    /// `error:full`, `error:readonly`, `error:io`: what the system says of a full, write-protected or broken disk.
    Error(i32),
}

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Where.
    pub point: Point,
    /// What.
    pub action: Action,
    /// At which pass alone.
    at: Option<u64>,
    /// On what alone: the shard, say.
    on: Option<String>,
    /// Where the tokens lie.
    tokens: Option<PathBuf>,
    passes: AtomicU64,
}

/// All rules of a process.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    rules: Vec<Rule>,
}

impl Plan {
    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let rules = text
            .split(';')
            .map(str::trim)
            .filter(|rule| !rule.is_empty());
        let rules = rules.map(Rule::parse).collect::<Result<_, _>>()?;
        Ok(Self { rules })
    }

    pub(crate) fn pass(&self, point: Point, what: impl FnOnce() -> String) -> io::Result<()> {
        let mut here = self
            .rules
            .iter()
            .filter(|rule| rule.point == point)
            .peekable();
        if here.peek().is_none() {
            return Ok(());
        }
        let what = what();
        let mut due = here.filter(|rule| rule.is_due(&what));
        due.try_for_each(|rule| rule.strike(&what))
    }
}

impl Rule {
    /// `POINT=ACTION[,at=K][,on=WHAT][,tokens=FOLDER]`.
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = |what: String| Err(format!("`{text}`: {what}"));
        let Some((name, rest)) = text.split_once('=') else {
            return wrong("a rule is POINT=ACTION, such as store.open=abort".to_owned());
        };
        let Some(point) = Point::ALL.into_iter().find(|point| point.name() == name) else {
            let names: Vec<_> = Point::ALL.iter().map(|point| point.name()).collect();
            return wrong(format!(
                "no point is called {name}; there are {}",
                names.join(", ")
            ));
        };
        let mut parts = rest.split(',').map(str::trim);
        let action = Action::parse(parts.next().unwrap_or_default());
        let Some(action) = action else {
            return wrong(
                "the action is abort, panic, delay:MS, hold:FILE, error:full, error:readonly or error:io".to_owned(),
            );
        };
        if matches!(action, Action::Error(_)) && !point.can_fail() {
            return wrong(format!("no disk is written at {name}, so none can fail"));
        }
        let (mut at, mut on, mut tokens) = (None, None, None);
        for part in parts {
            match part.split_once('=') {
                Some(("at", number)) => match number.parse() {
                    Ok(number @ 1..) => at = Some(number),
                    _ => return wrong(format!("at={number} is not a number from 1")),
                },
                Some(("on", what)) => on = Some(what.to_owned()),
                Some(("tokens", folder)) => tokens = Some(PathBuf::from(folder)),
                _ => return wrong(format!("{part} is none of at=K, on=WHAT and tokens=FOLDER")),
            }
        }
        Ok(Self {
            point,
            action,
            at,
            on,
            tokens,
            passes: AtomicU64::new(0),
        })
    }

    fn is_due(&self, what: &str) -> bool {
        if self.on.as_deref().is_some_and(|on| on != what) {
            return false;
        }
        let pass = self.passes.fetch_add(1, Ordering::Relaxed) + 1;
        self.at.is_none_or(|at| at == pass) && self.tokens.as_deref().is_none_or(take_token)
    }

    fn strike(&self, what: &str) -> io::Result<()> {
        match &self.action {
            Action::Abort => std::process::abort(),
            Action::Panic => panic!("asked for at {}", self.point),
            Action::Delay(time) => std::thread::sleep(*time),
            Action::Hold(file) => hold(file, what),
            Action::Error(code) => return Err(io::Error::from_raw_os_error(*code)),
        }
        Ok(())
    }
}

impl Action {
    fn parse(text: &str) -> Option<Self> {
        Some(match text.split_once(':') {
            None if text == "abort" => Self::Abort,
            None if text == "panic" => Self::Panic,
            Some(("delay", ms)) => Self::Delay(Duration::from_millis(ms.parse().ok()?)),
            Some(("hold", file)) if !file.is_empty() => Self::Hold(file.into()),
            // ENOSPC, EROFS, EIO.
            Some(("error", "full")) => Self::Error(28),
            Some(("error", "readonly")) => Self::Error(30),
            Some(("error", "io")) => Self::Error(5),
            _ => return None,
        })
    }
}

/// Takes one token; false when there is none. Removing a file succeeds for one process only.
fn take_token(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    entries
        .flatten()
        .any(|entry| fs::remove_file(entry.path()).is_ok())
}

/// Says where we are, whole or not at all, and waits.
fn hold(file: &Path, what: &str) {
    let beside = |suffix: &str| {
        let mut path = file.as_os_str().to_owned();
        path.push(suffix);
        PathBuf::from(path)
    };
    let part = beside(".part");
    if fs::write(&part, what)
        .and_then(|()| fs::rename(&part, file))
        .is_ok()
    {
        let go = beside(".go");
        while !go.exists() {
            std::thread::sleep(LOOK_AGAIN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_can_be_named_and_what_makes_no_sense_is_refused_with_the_choice() {
        for point in Point::ALL {
            let plan = Plan::parse(&format!(" {point}=delay:1 ;")).unwrap();
            assert_eq!((plan.rules[0].point, plan.rules.len()), (point, 1));
        }
        for (text, says) in [
            ("store.open", "POINT=ACTION"),
            ("store.close=abort", "store.marker.after"),
            ("store.open=explode", "delay:MS"),
            ("store.open=delay:soon", "delay:MS"),
            ("store.open=abort,at=0", "from 1"),
            ("store.open=abort,twice", "tokens=FOLDER"),
            ("worker.stream=error:full", "no disk"),
        ] {
            let refused = Plan::parse(text).unwrap_err();
            assert!(
                refused.contains(says) && refused.contains(text),
                "{refused}"
            );
        }
    }

    #[test]
    fn an_error_is_the_systems_and_only_at_its_point_and_pass() {
        let plan = Plan::parse("store.open=error:full,at=2").unwrap();
        let passes: Vec<_> = (0..3)
            .map(|_| plan.pass(Point::StoreOpen, String::new))
            .collect();
        assert!(passes[0].is_ok() && passes[2].is_ok());
        let error = passes[1].as_ref().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(plan.pass(Point::MarkerBefore, String::new).is_ok());
    }

    #[test]
    fn a_fault_strikes_as_often_as_there_are_tokens_and_takes_them_away() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["1", "2"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let text = format!("store.open=error:io,tokens={}", folder.path().display());
        let struck = |plan: &Plan| plan.pass(Point::StoreOpen, String::new).is_err();
        // Two processes, one folder.
        let (one, two) = (Plan::parse(&text).unwrap(), Plan::parse(&text).unwrap());
        assert_eq!(
            [struck(&one), struck(&two), struck(&one), struck(&two)],
            [true, true, false, false]
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_fault_on_one_thing_spares_the_others() {
        let plan = Plan::parse("worker.evaluate=panic,on=hop/3/1/1,at=2").unwrap();
        let pass = |what: &str| {
            let what = what.to_owned();
            let passing = || plan.pass(Point::WorkerEvaluate, || what);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(passing)).is_ok()
        };
        let passed = ["hop/3/1/1", "hop/4/2/1", "hop/3/1/1", "hop/3/1/1"].map(pass);
        assert_eq!(passed, [true, true, false, true]);
    }

    #[test]
    fn whoever_holds_says_where_and_waits() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("held");
        let plan = Plan::parse(&format!("coordinator.logged=hold:{}", file.display())).unwrap();
        std::thread::scope(|scope| {
            let held = scope.spawn(|| plan.pass(Point::CoordinatorLogged, || "17".to_owned()));
            while !file.exists() {
                std::thread::yield_now();
            }
            assert_eq!(fs::read_to_string(&file).unwrap(), "17");
            assert!(!held.is_finished());
            fs::write(folder.path().join("held.go"), "").unwrap();
        });
    }
}
