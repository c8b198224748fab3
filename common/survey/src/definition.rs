//! What a survey asks, and the id that follows from it.

use std::fmt;
use std::str::FromStr;

use toads_strip::{Strip, StripError, Variant};

/// The most cells of one survey.
pub const MAX_CELLS: usize = 10_000;

/// The most bytes of the cells as a message could need them: a definition crosses the wire in one message of at most 1 MiB.
const MAX_BYTES: usize = 900 << 10;

/// The most parameters of a cell.
const MAX_LABELS: usize = 16;

/// The most bytes of the name of a parameter.
const MAX_NAME_BYTES: usize = 64;

/// The most bytes of a title.
const MAX_TITLE_BYTES: usize = 4_096;

/// The content id of a survey: the first 16 bytes of BLAKE3 over all it asks. Shown as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurveyId(pub [u8; 16]);

impl fmt::Display for SurveyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for SurveyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for SurveyId {
    type Err = SurveyError;

    fn from_str(text: &str) -> Result<Self, SurveyError> {
        let wrong = || SurveyError::Id(text.to_owned());
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        u128::from_str_radix(text, 16)
            .map(|id| Self(id.to_be_bytes()))
            .map_err(|_| wrong())
    }
}

/// What one cell may take; 0 is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Positions looked at.
    pub nodes: u64,
    /// Time, in milliseconds, on whatever machine it is.
    pub milliseconds: u64,
}

/// One entry of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its place in the survey, from 0; given by [`Survey::new`].
    pub index: u32,
    /// The parameters that made it, such as `a = 3`.
    pub labels: Vec<(String, i64)>,
    /// The strip, as [`Strip::compact`] writes it.
    pub strip: String,
}

impl Cell {
    /// A cell without a place yet.
    pub fn new<N: Into<String>>(
        labels: impl IntoIterator<Item = (N, i64)>,
        strip: impl Into<String>,
    ) -> Self {
        Self {
            index: 0,
            labels: labels
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect(),
            strip: strip.into(),
        }
    }

    /// The strip. Cannot fail for a cell of a [`Survey`].
    pub fn squares(&self) -> Result<Strip, StripError> {
        Strip::parse(&self.strip)
    }
}

/// Why there is no such survey. *Fix what was asked.*
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SurveyError {
    /// A cell is not a strip.
    #[error("cell {index} is not a strip: {error}")]
    Strip {
        /// Which cell, from 0.
        index: usize,
        /// Why.
        error: StripError,
    },
    /// There is nothing to evaluate.
    #[error("a survey needs at least one cell")]
    Empty,
    /// Too much for one survey.
    #[error("{what} is {found}, at most {most}; ask for a part of it in a survey of its own")]
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How much.
        found: usize,
        /// How much there may be.
        most: usize,
    },
    /// A parameter without a name, or one that would break a table.
    #[error(
        "`{}` is not a name for a parameter; use 1 to 64 bytes without blanks and control characters",
        .0.escape_debug()
    )]
    Name(String),
    /// A text that is no id.
    #[error("a survey's id is 32 hexadecimal digits, not `{}`", .0.escape_debug())]
    Id(String),
}

/// A family of strips over a box of parameters. Valid by construction; never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    id: SurveyId,
    title: String,
    variant: Variant,
    budget: Budget,
    cells: Vec<Cell>,
}

impl Survey {
    /// Checks everything, writes every strip in its one compact form, and numbers the cells in the order given.
    ///
    /// The title is for people (the family as it was typed, mostly), but part of what is asked: with another one it is
    /// another survey.
    pub fn new(
        title: impl Into<String>,
        variant: Variant,
        budget: Budget,
        mut cells: Vec<Cell>,
    ) -> Result<Self, SurveyError> {
        let title = title.into();
        at_most("the number of cells", cells.len(), MAX_CELLS)?;
        at_most("the length of the title", title.len(), MAX_TITLE_BYTES)?;
        if cells.is_empty() {
            return Err(SurveyError::Empty);
        }
        for (index, cell) in cells.iter_mut().enumerate() {
            at_most("the number of parameters", cell.labels.len(), MAX_LABELS)?;
            if let Some((name, _)) = cell.labels.iter().find(|(name, _)| !is_name(name)) {
                return Err(SurveyError::Name(name.clone()));
            }
            let strip = cell
                .squares()
                .map_err(|error| SurveyError::Strip { index, error })?;
            cell.strip = strip.compact();
            cell.index = index as u32;
        }
        let label = |(name, _): &(String, i64)| name.len() + 16;
        let bytes =
            |cell: &Cell| cell.strip.len() + 16 + cell.labels.iter().map(label).sum::<usize>();
        let bytes = cells.iter().map(bytes).sum();
        at_most("the size of the definition in bytes", bytes, MAX_BYTES)?;
        let id = id_of(&title, variant, budget, &cells);
        Ok(Self {
            id,
            title,
            variant,
            budget,
            cells,
        })
    }

    /// The hash of all the rest.
    pub fn id(&self) -> SurveyId {
        self.id
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The rules.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// What each cell may take.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The cells, by index.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// A number for each cell, equal for cells of one class (up to mirror image): what was learnt in one of them helps in
    /// the others.
    pub fn groups(&self) -> Vec<u64> {
        let group = |cell: &Cell| {
            let Ok(strip) = cell.squares() else { return 0 };
            let (toads, frogs) = (strip.toads() as u64, strip.frogs() as u64);
            // At most 1,000,000 squares: 20 bits each.
            (strip.len() as u64) << 40 | toads.max(frogs) << 20 | toads.min(frogs)
        };
        self.cells.iter().map(group).collect()
    }
}

fn at_most(what: &'static str, found: usize, most: usize) -> Result<(), SurveyError> {
    if found <= most {
        return Ok(());
    }
    Err(SurveyError::TooLarge { what, found, most })
}

fn is_name(name: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.chars().all(is_plain)
}

/// Every text with its length in front, every number in eight bytes: no two definitions give the same bytes.
fn id_of(title: &str, variant: Variant, budget: Budget, cells: &[Cell]) -> SurveyId {
    let mut hasher = blake3::Hasher::new();
    let number = |hasher: &mut blake3::Hasher, number: u64| {
        hasher.update(&number.to_le_bytes());
    };
    let text = |hasher: &mut blake3::Hasher, text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    hasher.update(b"toads survey 1");
    hasher.update(&[variant.code()]);
    number(&mut hasher, budget.nodes);
    number(&mut hasher, budget.milliseconds);
    text(&mut hasher, title);
    number(&mut hasher, cells.len() as u64);
    for cell in cells {
        number(&mut hasher, cell.labels.len() as u64);
        for (name, value) in &cell.labels {
            text(&mut hasher, name);
            hasher.update(&value.to_le_bytes());
        }
        text(&mut hasher, &cell.strip);
    }
    let mut id = [0; 16];
    id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    SurveyId(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> Vec<Cell> {
        vec![
            Cell::new([("a", 1), ("b", 2)], "T.^2 F"),
            Cell::new([("a", 2), ("b", 2)], "TT..F"),
        ]
    }

    fn survey(title: &str, nodes: u64, cells: Vec<Cell>) -> Result<Survey, SurveyError> {
        let budget = Budget {
            nodes,
            milliseconds: 0,
        };
        Survey::new(title, Variant::Hop, budget, cells)
    }

    #[test]
    fn the_same_question_has_the_same_id_however_its_strips_are_spelt() {
        let first = survey("T^a .^b F", 5, cells()).unwrap();
        let mut spelt = cells();
        spelt[0].strip = "t__f".into();
        spelt[1].index = 77;
        let second = survey("T^a .^b F", 5, spelt).unwrap();
        assert_eq!(first, second);
        assert_eq!(first.cells()[1].strip, "T^2 .^2 F");
        assert_eq!(first.cells()[1].index, 1);
        assert_eq!(first.id().to_string().parse(), Ok(first.id()));
    }

    #[test]
    fn every_part_of_the_question_is_in_the_id() {
        let base = survey("x", 5, cells()).unwrap().id();
        let mut others = vec![
            survey("y", 5, cells()).unwrap().id(),
            survey("x", 6, cells()).unwrap().id(),
        ];
        let hopless = Survey::new(
            "x",
            Variant::Hopless,
            Budget {
                nodes: 5,
                milliseconds: 0,
            },
            cells(),
        );
        others.push(hopless.unwrap().id());
        for change in [
            |cells: &mut Vec<Cell>| cells.swap(0, 1),
            |cells: &mut Vec<Cell>| cells[0].labels[1].1 = 3,
            |cells: &mut Vec<Cell>| cells[0].labels[1].0 = "c".into(),
            |cells: &mut Vec<Cell>| cells[1].strip.push('.'),
            |cells: &mut Vec<Cell>| drop(cells.pop()),
        ] {
            let mut changed = cells();
            change(&mut changed);
            others.push(survey("x", 5, changed).unwrap().id());
        }
        assert!(!others.contains(&base));
        others.sort_unstable();
        others.dedup();
        assert_eq!(others.len(), 8);
    }

    #[test]
    fn what_is_no_survey_is_refused_with_its_place() {
        assert_eq!(survey("x", 0, vec![]), Err(SurveyError::Empty));
        let mut bad = cells();
        bad[1].strip = "TX".into();
        let error = survey("x", 0, bad).unwrap_err().to_string();
        assert!(error.starts_with("cell 1 is not a strip"), "{error}");
        let many = vec![Cell::new([("a", 1)], "T"); MAX_CELLS + 1];
        assert!(matches!(
            survey("x", 0, many),
            Err(SurveyError::TooLarge { .. })
        ));
        let long = vec![Cell::new([("a", 1)], "TF".repeat(1_000)); 300];
        assert!(matches!(
            survey("x", 0, long),
            Err(SurveyError::TooLarge { .. })
        ));
        let named = vec![Cell::new([("a b", 1)], "T")];
        assert_eq!(survey("x", 0, named), Err(SurveyError::Name("a b".into())));
        assert!("12".parse::<SurveyId>().is_err());
        assert!(
            "+0000000000000000000000000000000"
                .parse::<SurveyId>()
                .is_err()
        );
    }

    #[test]
    fn mirror_classes_are_one_group() {
        let cells = ["T.FF", "TT.F", "TTF.", "TTF"].map(|strip| Cell::new([("a", 0)], strip));
        let groups = survey("x", 0, cells.to_vec()).unwrap().groups();
        assert_eq!(groups[0], groups[1]);
        assert_eq!(groups[0], groups[2]);
        assert_ne!(groups[0], groups[3]);
    }
}
