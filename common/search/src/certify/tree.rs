//! Values as the checker sees them: numbers, and sets of options written out.

use std::fmt;
use std::rc::Rc;

use super::number::Number;

/// Braces nest no deeper than this.
const DEEPEST: usize = 500;

/// A game {left | right}, or a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tree {
    Number(Number),
    Options {
        left: Vec<Rc<Tree>>,
        right: Vec<Rc<Tree>>,
    },
}

impl Tree {
    /// Options exchanged and negated.
    pub(crate) fn negative(&self) -> Self {
        let negated = |options: &[Rc<Self>]| -> Vec<Rc<Self>> {
            options
                .iter()
                .map(|option| Rc::new(option.negative()))
                .collect()
        };
        match self {
            Self::Number(number) => Self::Number(number.negative()),
            Self::Options { left, right } => Self::Options {
                left: negated(right),
                right: negated(left),
            },
        }
    }

    /// A number f, an integer unless the tree is a number, with G ≥ f: for a game without numbers on top, f ≤ 0 and
    /// f + 1 ≤ a floor of every Gᴿ. Then Left wins G − f moving second: she answers Right's move to Gᴿ by a free move in −f, and has Gᴿ ≥
    /// f + 1.
    pub(crate) fn floor(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Options { right, .. } => {
                let mut floor = Number::ZERO;
                for option in right {
                    let below = option.floor()?.floor()?.plus(Number::integer(-1)?)?;
                    floor = floor.min(below);
                }
                Some(floor)
            }
        }
    }

    /// Reads one tree that makes up the whole text.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (tree, rest) = Self::read_front(text, 0)?;
        rest.is_empty().then_some(tree)
    }

    fn read_front(text: &str, depth: usize) -> Option<(Self, &str)> {
        let Some(inside) = text.strip_prefix('{') else {
            let end = text.find([',', '|', '}']).unwrap_or(text.len());
            let number = Number::read(&text[..end])?;
            return Some((Self::Number(number), &text[end..]));
        };
        if depth == DEEPEST {
            return None;
        }
        let (left, rest) = Self::read_options(inside, '|', depth)?;
        let (right, rest) = Self::read_options(rest, '}', depth)?;
        Some((Self::Options { left, right }, rest))
    }

    /// Options parted by commas up to a closing character, which is taken away.
    fn read_options(text: &str, close: char, depth: usize) -> Option<(Vec<Rc<Self>>, &str)> {
        let mut options = Vec::new();
        let mut rest = text;
        if let Some(after) = rest.strip_prefix(close) {
            return Some((options, after));
        }
        loop {
            let (option, after) = Self::read_front(rest, depth + 1)?;
            options.push(Rc::new(option));
            if let Some(after) = after.strip_prefix(close) {
                return Some((options, after));
            }
            rest = after.strip_prefix(',')?;
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |options: &[Rc<Self>]| {
            let texts: Vec<_> = options.iter().map(ToString::to_string).collect();
            texts.join(",")
        };
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Options { left, right } => write!(f, "{{{}|{}}}", list(left), list(right)),
        }
    }
}
