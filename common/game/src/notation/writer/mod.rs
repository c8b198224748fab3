//! Writing values; see [`super`] for the rules.

mod order;
mod shape;
mod text;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::arena::{Arena, Value};
use crate::thermograph::Thermographs;
use crate::uptimal::Uptimals;
use order::StructuralOrder;
use shape::Shape;
use text::Limited;

/// The two ways to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// What CGSuite prints.
    Display,
    /// What CGSuite reads.
    Input,
}

/// Texts longer than this are put together from their parts each time.
const LONGEST_REMEMBERED: usize = 256;

/// Bytes of remembered texts before they are forgotten.
const REMEMBERED_BYTES: usize = 1 << 25;

/// What a style remembers.
#[derive(Default)]
struct Memo {
    shapes: HashMap<Value, Shape, FxBuildHasher>,
    /// Without braces.
    texts: HashMap<Value, Box<str>, FxBuildHasher>,
    text_bytes: usize,
}

/// Writes values of one arena and remembers what it met: shapes and comparisons of all parts, texts of small parts.
///
/// Writing is linear in the text (plus, once, in the form). `display` may add the argument of a tiny to the arena.
pub struct Writer<'a> {
    arena: &'a Arena,
    uptimals: Uptimals<'a>,
    thermographs: Thermographs<'a>,
    order: StructuralOrder,
    display: Memo,
    input: Memo,
}

impl<'a> Writer<'a> {
    /// Nothing remembered yet.
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            uptimals: Uptimals::new(arena),
            thermographs: Thermographs::new(arena),
            order: StructuralOrder::default(),
            display: Memo::default(),
            input: Memo::default(),
        }
    }

    /// What CGSuite prints.
    pub fn display(&mut self, value: Value) -> String {
        self.write(value, Style::Display, usize::MAX)
    }

    /// The same in at most `max_chars` characters: a longer text is cut and ends with `…`.
    ///
    /// Stops writing at the limit, so its cost does not grow with the text.
    pub fn display_limited(&mut self, value: Value, max_chars: usize) -> String {
        self.write(value, Style::Display, max_chars)
    }

    /// What CGSuite's parser accepts.
    pub fn input(&mut self, value: Value) -> String {
        self.write(value, Style::Input, usize::MAX)
    }

    /// The order in which options are written: by structure, the same in every arena.
    pub fn structural_order(&mut self, a: Value, b: Value) -> std::cmp::Ordering {
        self.order.compare(self.arena, &mut self.uptimals, a, b)
    }

    fn write(&mut self, value: Value, style: Style, max_chars: usize) -> String {
        let mut out = Limited::new(max_chars);
        // All text is ASCII, so bytes are characters. A text that is too long is cut by `finish`.
        let _ = self.write_top(value, style, &mut out);
        out.finish()
    }

    fn memo(&mut self, style: Style) -> &mut Memo {
        match style {
            Style::Display => &mut self.display,
            Style::Input => &mut self.input,
        }
    }
}
