//! What a question is about.

use toads_dataset::Filters;
use toads_game::{Kind, Outcome};
use toads_strip::Variant;

use crate::evaluate::read_value;
use crate::failure::Result;
use crate::output::Format;
use crate::units::{self, Counts, Squares};

/// Which strips a question is about.
#[derive(clap::Args, Debug)]
pub(crate) struct FilterArgs {
    /// Numbers of squares: 7, or 1..12 with both ends [default: all there are]
    #[arg(long, value_name = "A..B")]
    squares: Option<Squares>,

    /// Numbers of toads: 3, or 0..4
    #[arg(long, value_name = "A..B")]
    toads: Option<Counts>,

    /// Numbers of frogs: 3, or 0..4
    #[arg(long, value_name = "A..B")]
    frogs: Option<Counts>,

    /// Only strips with a value of this kind, such as switch or hot
    #[arg(long, value_name = "KIND")]
    kind: Option<Kind>,

    /// Only strips with this outcome: P, L, R or N
    #[arg(long, value_name = "OUTCOME", value_parser = toads_dataset::question::parse_outcome)]
    outcome: Option<Outcome>,

    /// Only strips with this value, such as '{1|0}' or -1/2, or with the value of this 32-digit id
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    value: Option<String>,

    /// Only strips with a value of which this is true: an SQL expression over the columns of the table values, such as
    /// 'temperature > 2 and birthday < 9'
    #[arg(long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    condition: Option<String>,
}

/// How much is printed.
#[derive(clap::Args, Debug)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub(super) text: TextArgs,

    /// Rows at most [default: 50 in text, all otherwise]
    #[arg(long, visible_alias = "top", value_name = "N", value_parser = units::limit)]
    pub(super) limit: Option<u64>,
}

/// How long texts are printed.
#[derive(clap::Args, Debug)]
pub(crate) struct TextArgs {
    /// Characters of a value's text at most [default: 100 in text, whole otherwise]
    #[arg(long, value_name = "N", env = "TOADS_MAX_TEXT", hide_env_values = true)]
    max_text: Option<usize>,
}

impl TextArgs {
    /// Characters of a value's text at most; for people a line will do.
    pub(super) fn max(&self, format: Format) -> Option<usize> {
        self.max_text.or((format == Format::Text).then_some(100))
    }
}

impl FilterArgs {
    /// As the dataset takes them.
    pub(super) fn of(&self, variant: Variant) -> Result<Filters> {
        Ok(Filters {
            variant,
            squares: self.squares.map(Squares::range),
            toads: self.toads.map(Counts::range),
            frogs: self.frogs.map(Counts::range),
            kind: self.kind,
            outcome: self.outcome,
            value: self.value.as_deref().map(value).transpose()?,
            condition: self.condition.clone(),
        })
    }
}

/// The text of a value, or an id; checked here, so that a slip costs no trip to the store.
fn value(text: &str) -> Result<String> {
    let text = text.trim();
    let is_id = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_id {
        Ok(text.to_owned())
    } else {
        read_value(text)
    }
}
