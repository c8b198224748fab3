//! Putting the text together.

use super::shape::{MOST_BARS, Shape};
use super::{LONGEST_REMEMBERED, Memo, REMEMBERED_BYTES, Style, Writer};
use crate::arena::Value;
use crate::dyadic::Dyadic;
use crate::uptimal::Uptimal;

/// The text is longer than asked for; nothing more needs to be written.
pub(super) struct Full;

/// Text up to a limit.
pub(super) struct Limited {
    text: String,
    max: usize,
}

impl Limited {
    pub(super) fn new(max: usize) -> Self {
        Self {
            text: String::new(),
            max,
        }
    }

    fn push(&mut self, text: &str) -> Result<(), Full> {
        let room = self.max.saturating_add(1).saturating_sub(self.text.len());
        self.text.push_str(&text[..text.len().min(room)]);
        if self.text.len() > self.max {
            Err(Full)
        } else {
            Ok(())
        }
    }

    /// The text, with a `…` in the place of what did not fit.
    pub(super) fn finish(mut self) -> String {
        if self.text.len() > self.max {
            self.text.truncate(self.max.saturating_sub(1));
            if self.max > 0 {
                self.text.push('…');
            }
        }
        self.text
    }
}

const BARS: &str = "||||";

impl Writer<'_> {
    /// A value that stands alone: slashes in braces.
    pub(super) fn write_top(
        &mut self,
        value: Value,
        style: Style,
        out: &mut Limited,
    ) -> Result<(), Full> {
        let braces = !self.shape(value, style).is_atomic();
        self.write_part(value, style, braces, out)
    }

    fn write_part(
        &mut self,
        value: Value,
        style: Style,
        braces: bool,
        out: &mut Limited,
    ) -> Result<(), Full> {
        if braces {
            out.push("{")?;
        }
        let begin = out.text.len();
        if let Some(text) = self.memo(style).texts.get(&value) {
            out.push(text)?;
        } else {
            self.write_body(value, style, out)?;
            let text = &out.text[begin..];
            if text.len() <= LONGEST_REMEMBERED && self.arena.as_number(value).is_none() {
                self.memo(style).remember(value, text);
            }
        }
        if braces { out.push("}") } else { Ok(()) }
    }

    fn write_body(&mut self, value: Value, style: Style, out: &mut Limited) -> Result<(), Full> {
        match self.shape(value, style) {
            Shape::Sum(sum) => out.push(&sum_text(&sum, style)),
            Shape::Switch => self.write_switch(value, style, out),
            Shape::Tiny {
                number,
                threat,
                is_tiny,
            } => {
                if number != Dyadic::ZERO {
                    out.push(&number.to_string())?;
                }
                out.push(if is_tiny { "Tiny(" } else { "Miny(" })?;
                self.write_top(threat, style, out)?;
                out.push(")")
            }
            Shape::Slashes { bars } => {
                self.write_side(value, true, style, out)?;
                out.push(&BARS[..usize::from(bars)])?;
                self.write_side(value, false, style, out)
            }
        }
    }

    fn write_side(
        &mut self,
        value: Value,
        is_left: bool,
        style: Style,
        out: &mut Limited,
    ) -> Result<(), Full> {
        let options = self
            .order
            .sorted(self.arena, &mut self.uptimals, value, is_left);
        let alone = options.len() == 1;
        for (at, &option) in options.iter().enumerate() {
            if at > 0 {
                out.push(",")?;
            }
            let braces = match self.shape(option, style) {
                Shape::Slashes { bars } => !alone || bars == MOST_BARS,
                _ => false,
            };
            self.write_part(option, style, braces, out)?;
        }
        Ok(())
    }

    fn write_switch(&mut self, value: Value, style: Style, out: &mut Limited) -> Result<(), Full> {
        out.push("+-")?;
        let options = self
            .order
            .sorted(self.arena, &mut self.uptimals, value, true);
        let &[option] = &options[..] else {
            out.push("{")?;
            self.write_side(value, true, style, out)?;
            return out.push("}");
        };
        let parentheses = match self.shape(option, style) {
            // CGSuite would read +-1/2 as (+-1)/2.
            Shape::Sum(sum) if sum.is_number() => style == Style::Input && !sum.number.is_integer(),
            Shape::Sum(sum) => !sum.is_nimber() && !sum.is_ups(),
            Shape::Tiny { .. } => true,
            Shape::Switch => false,
            Shape::Slashes { .. } => return self.write_part(option, style, true, out),
        };
        if parentheses {
            out.push("(")?;
        }
        self.write_part(option, style, false, out)?;
        if parentheses { out.push(")") } else { Ok(()) }
    }
}

impl Memo {
    fn remember(&mut self, value: Value, text: &str) {
        if self.text_bytes > REMEMBERED_BYTES {
            self.texts.clear();
            self.text_bytes = 0;
        }
        self.text_bytes += text.len() + size_of::<(Value, Box<str>)>();
        self.texts.insert(value, text.into());
    }
}

/// Rule 1.
fn sum_text(sum: &Uptimal, style: Style) -> String {
    let mut text = String::new();
    if sum.number != Dyadic::ZERO || sum.is_number() {
        text = sum.number.to_string();
        if style == Style::Input && !sum.is_number() {
            text.push('+');
        }
    }
    if let [first_ups @ .., last] = &sum.ups[..] {
        let arrow = if *last > 0 { "^" } else { "v" };
        let length = sum.ups.len();
        let ups = match (length, last.unsigned_abs()) {
            (1, count @ 1..=2) => arrow.repeat(count as usize),
            (1, count) => format!("{arrow}{count}"),
            _ if first_ups[0] == 0 => format!("{arrow}<{length}>"),
            _ => format!("{arrow}[{length}]"),
        };
        text.push_str(&ups);
    }
    match sum.nimber {
        0 => {}
        1 => text.push('*'),
        nimber => {
            text.push('*');
            text.push_str(&nimber.to_string());
        }
    }
    text
}
