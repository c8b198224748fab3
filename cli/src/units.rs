//! How ranges, sizes and durations are written on the command line and shown.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use toads_census::MAX_CENSUS_SQUARES;

/// Numbers of squares: `7`, or `1..12` with both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Squares {
    /// The smallest, from 1.
    pub(crate) first: u8,
    /// The largest, to [`MAX_CENSUS_SQUARES`].
    pub(crate) last: u8,
}

impl Squares {
    /// As a range.
    pub(crate) fn range(self) -> RangeInclusive<u8> {
        self.first..=self.last
    }
}

impl fmt::Display for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}..{}", self.first, self.last)
        }
    }
}

impl FromStr for Squares {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| -> Result<u8, String> {
            let text = text.trim();
            match text.parse::<u64>() {
                Ok(n) if (1..=u64::from(MAX_CENSUS_SQUARES)).contains(&n) => Ok(n as u8),
                Ok(n) => Err(format!(
                    "{n} squares are out of range; a census takes 1 to {MAX_CENSUS_SQUARES}"
                )),
                Err(_) => Err(format!(
                    "`{text}` is not a number of squares; write 7 or 1..12"
                )),
            }
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (
                number(first)?,
                number(last.strip_prefix('=').unwrap_or(last))?,
            ),
            None => (number(text)?, number(text)?),
        };
        if first > last {
            return Err(format!("the range is empty; did you mean {last}..{first}?"));
        }
        Ok(Self { first, last })
    }
}

/// Numbers of pieces: `3`, or `0..4` with both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    first: u8,
    last: u8,
}

impl Counts {
    /// As a range.
    pub(crate) fn range(self) -> RangeInclusive<u8> {
        self.first..=self.last
    }
}

impl FromStr for Counts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            text.trim()
                .parse::<u8>()
                .map_err(|_| format!("`{text}` is not a number of pieces; write 3 or 0..4"))
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (
                number(first)?,
                number(last.strip_prefix('=').unwrap_or(last))?,
            ),
            None => (number(text)?, number(text)?),
        };
        if first > last {
            return Err(format!("the range is empty; did you mean {last}..{first}?"));
        }
        Ok(Self { first, last })
    }
}

/// A size in bytes: `512MiB`, `8GiB`, `8G`, or plain bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let wrong = || format!("`{text}` is not a size; write 512MiB or 8GiB");
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        "t" | "tb" | "tib" => 1 << 40,
        _ => return Err(wrong()),
    };
    let bytes = number * factor as f64;
    let most = crate::memory::available();
    if bytes > most as f64 {
        Err(format!(
            "`{text}` is more than the {} MiB there are",
            most >> 20
        ))
    } else if bytes >= 1.0 {
        Ok(bytes as u64)
    } else {
        Err(wrong())
    }
}

/// A duration: `90s`, `10m`, `1h 30m`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Ok(Duration::from_secs(seconds.into()));
    }
    humantime::parse_duration(text)
        .map_err(|_| format!("`{text}` is not a duration; write 90s, 10m or 1h"))
}

/// A share of a whole: 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let share = text.trim().parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| format!("`{text}` is not a share; write a number from 0 to 1, such as 0.01"))
}

/// What a search may take: positions or time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    /// Positions expanded.
    Nodes(u64),
    /// Time that passes.
    Time(Duration),
}

/// A budget: `50000000` or `50M` nodes (k, M, G), or a time such as `90s`, `10min`, `1h`.
pub(crate) fn budget(text: &str) -> Result<Budget, String> {
    let text = text.trim();
    let (digits, unit) = match text.strip_suffix(['k', 'M', 'G']) {
        Some(digits) if text.ends_with('k') => (digits, 1_000),
        Some(digits) if text.ends_with('M') => (digits, 1_000_000),
        Some(digits) => (digits, 1_000_000_000),
        None => (text, 1),
    };
    if let Ok(count) = digits.parse::<u64>() {
        return Ok(Budget::Nodes(count.saturating_mul(unit)));
    }
    humantime::parse_duration(text)
        .map(Budget::Time)
        .map_err(|_| format!("`{text}` is not a budget; write 50M for nodes, or 10min for time"))
}

/// A number of threads, 1 to 1,024.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    match text.trim().parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err(format!(
            "`{text}` is not a number of threads from 1 to 1024"
        )),
    }
}

/// How far claims are tested, 1 to 10,000.
pub(crate) fn bound(text: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(bound @ 1..=10_000) => Ok(bound),
        _ => Err(format!("`{text}` is not a bound from 1 to 10000")),
    }
}

/// One in so many, from 1.
pub(crate) fn one_in(text: &str) -> Result<u64, String> {
    match text.trim().parse() {
        Ok(many @ 1..) => Ok(many),
        _ => Err(format!("`{text}` is not a whole number from 1 on")),
    }
}

/// Rows at most, characters at most: any whole number.
pub(crate) fn limit(text: &str) -> Result<u64, String> {
    let text = text.trim();
    text.parse()
        .map_err(|_| format!("`{text}` is not a whole number such as 50"))
}

/// A number of worker processes, 0 to 256.
pub(crate) fn workers(text: &str) -> Result<usize, String> {
    match text.trim().parse() {
        Ok(workers @ 0..=256) => Ok(workers),
        _ => Err(format!("`{text}` is not a number of workers from 0 to 256")),
    }
}

/// The cores this process may use.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Bytes for people: `1.5 GiB`.
pub(crate) fn show_bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} B")
    } else {
        format!("{size:.1} {}", UNITS[unit])
    }
}

/// A count for people, in groups of three: `4,782,969`.
pub(crate) fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A duration for people: `0.4 s`, `12 s`, `3m 20s`.
pub(crate) fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 10.0 {
        return format!("{seconds:.1} s");
    }
    let whole = duration.as_secs();
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m}m {s:02}s"),
        (h, m, _) => format!("{h}h {m:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_inclusive_and_in_range() {
        assert_eq!("1..12".parse(), Ok(Squares { first: 1, last: 12 }));
        assert_eq!("1..=12".parse(), Ok(Squares { first: 1, last: 12 }));
        assert_eq!(" 7 ".parse(), Ok(Squares { first: 7, last: 7 }));
        for text in [
            "0",
            "25",
            "1..99",
            "3..2",
            "",
            "a",
            "1..",
            "..3",
            "-1",
            "1..2..3",
            "99999999999999999999999",
        ] {
            let error = text.parse::<Squares>().unwrap_err();
            assert!(!error.contains('\n') && !error.is_empty(), "{error}");
        }
    }

    #[test]
    fn budgets_are_nodes_or_time() {
        assert_eq!(budget("1000"), Ok(Budget::Nodes(1000)));
        assert_eq!(budget("50M"), Ok(Budget::Nodes(50_000_000)));
        assert_eq!(budget("2k"), Ok(Budget::Nodes(2_000)));
        assert_eq!(budget("10min"), Ok(Budget::Time(Duration::from_mins(10))));
        for text in ["", "M", "fast", "-1", "1.5"] {
            assert!(budget(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_and_durations_read_and_show() {
        assert_eq!(bytes("1GiB"), Ok(1 << 30));
        assert!(bytes("99999TiB").is_err_and(|error| error.contains("more than")));
        assert_eq!(bytes("1.5 m"), Ok(3 << 19));
        assert_eq!(bytes("4096"), Ok(4096));
        assert!(bytes("8 parsecs").is_err() && bytes("").is_err() && bytes("0").is_err());
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_secs(5400)));
        assert!(duration("soon").is_err());
        assert_eq!(share("0.25"), Ok(0.25));
        for text in ["", "-1", "1.5", "NaN", "1%"] {
            assert!(share(text).is_err(), "{text}");
        }
        assert_eq!(show_bytes(1536), "1.5 KiB");
        assert_eq!(show_count(4_782_969), "4,782,969");
        assert_eq!(show_count(12), "12");
        assert_eq!(show_duration(Duration::from_secs(200)), "3m 20s");
    }
}
