//! One input: is it read without a panic, in time, and in little memory?

use std::cell::RefCell;
use std::fmt;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::cases::to_hex;
use crate::memory;

/// More processor time than this for one input is a finding.
pub const MOST_TIME: Duration = Duration::from_secs(2);

/// What is read, by whom, and where it came from.
#[derive(Clone, Default, Debug)]
pub struct Reading {
    /// The target.
    pub target: &'static str,
    /// The seed and number of the input, or its file.
    pub origin: String,
    /// The bytes.
    pub input: Vec<u8>,
}

thread_local! {
    static PRESENT: RefCell<Reading> = RefCell::default();
}

/// A finding, with all that is needed to have it again.
#[derive(Debug)]
pub struct Finding {
    what: String,
    reading: Reading,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reading {
            target,
            origin,
            input,
        } = &self.reading;
        write!(
            f,
            "finding: {target}: {}\n  from  {origin}\n  input {}\n  again: put these digits into a file and type\n        make fuzz TARGET='{target}' INPUT=FILE",
            self.what,
            to_hex(input)
        )
    }
}

/// Lets `read` read the input; whether it was accepted.
pub fn watched(
    reading: &Reading,
    read: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<bool, Box<Finding>> {
    watched_for(MOST_TIME, reading, read)
}

fn watched_for(
    most: Duration,
    reading: &Reading,
    read: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<bool, Box<Finding>> {
    PRESENT.with_borrow_mut(|present| present.clone_from(reading));
    let finding = |what: String| {
        let reading = reading.clone();
        Box::new(Finding { what, reading })
    };
    let mut once = || {
        let read = AssertUnwindSafe(|| memory::watched(end, || read(&reading.input)));
        catch_unwind(read).map_err(|panic| finding(said(&*panic)))
    };
    let started = Instant::now();
    let mut accepted = once()?;
    if started.elapsed() > most {
        // Whether the machine was slow or the reader is: its processor time alone counts.
        let before = processor_time();
        accepted = once()?;
        let took = processor_time().saturating_sub(before);
        if took > most {
            return Err(finding(format!("it took {took:?} of processor time")));
        }
    }
    Ok(accepted)
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without a word"))
}

/// The end, when an input asks for too much memory: with the finding on the screen, whatever captures the output.
fn end(bytes: i64) {
    use std::io::Write as _;
    let what = format!("it asks for {bytes} bytes of memory");
    let reading = PRESENT.with_borrow(Clone::clone);
    let _ = writeln!(std::io::stderr(), "{}", Finding { what, reading });
    std::process::abort();
}

/// Of this thread, as Linux counts it; 0 where nobody does.
fn processor_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading() -> Reading {
        Reading {
            target: "test",
            origin: "nowhere".to_owned(),
            input: vec![0xab, 1],
        }
    }

    #[test]
    fn a_panic_is_a_finding_that_says_how_to_have_it_again() {
        let found = watched(&reading(), &mut |input| {
            assert_eq!(input[1], 2, "not two");
            true
        });
        let text = found.unwrap_err().to_string();
        for part in ["not two", "ab01", "nowhere", "make fuzz TARGET='test'"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(watched(&reading(), &mut |_| true).unwrap());
    }

    #[test]
    fn work_that_does_not_end_soon_is_a_finding_and_waiting_is_none() {
        let most = Duration::from_millis(50);
        let mut work = |_: &[u8]| {
            let before = processor_time();
            while processor_time() < before + most * 2 {}
            true
        };
        let text = watched_for(most, &reading(), &mut work)
            .unwrap_err()
            .to_string();
        assert!(text.contains("of processor time"), "{text}");
        let mut wait = |_: &[u8]| {
            std::thread::sleep(most * 2);
            true
        };
        assert!(watched_for(most, &reading(), &mut wait).unwrap());
    }
}
