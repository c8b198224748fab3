//! Tables for documents: Markdown and LaTeX.

use std::io::{self, Write};

use super::{Cell, Layout};

/// A pipe table; what Markdown would take for its own inside a cell is escaped.
pub(super) struct Markdown;

impl Markdown {
    fn line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
        for cell in cells {
            write!(out, "| {} ", plain(&cell))?;
        }
        writeln!(out, "|")
    }
}

impl Layout for Markdown {
    fn begin(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        Self::line(out, columns.iter().cloned())?;
        writeln!(out, "{}|", "|---".repeat(columns.len()))
    }

    fn row(&mut self, out: &mut dyn Write, _: &[String], row: &[Cell]) -> io::Result<()> {
        Self::line(out, row.iter().map(ToString::to_string))
    }

    fn end(&mut self, _: &mut dyn Write, _: &[String]) -> io::Result<()> {
        Ok(())
    }
}

/// The text with a backslash before each sign that Markdown would take for its own.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '|' | '*' | '`' | '<') {
            plain.push('\\');
        }
        plain.push(if letter == '\n' { ' ' } else { letter });
    }
    plain
}

/// A `tabular` of words set as they are; needs no package.
pub(super) struct Latex;

impl Latex {
    fn line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
        for (at, cell) in cells.enumerate() {
            let separator = if at == 0 { "" } else { " & " };
            write!(out, "{separator}{}", escaped(&cell))?;
        }
        writeln!(out, " \\\\")
    }
}

impl Layout for Latex {
    fn begin(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        writeln!(out, "\\begin{{tabular}}{{{}}}", "l".repeat(columns.len()))?;
        Self::line(out, columns.iter().cloned())?;
        writeln!(out, "\\hline")
    }

    fn row(&mut self, out: &mut dyn Write, _: &[String], row: &[Cell]) -> io::Result<()> {
        Self::line(out, row.iter().map(ToString::to_string))
    }

    fn end(&mut self, out: &mut dyn Write, _: &[String]) -> io::Result<()> {
        writeln!(out, "\\end{{tabular}}")
    }
}

/// The text as LaTeX sets it: its own special characters by name, those of values in mathematics, powers raised.
fn escaped(text: &str) -> String {
    let mut set = String::with_capacity(text.len());
    let (mut before, mut letters) = (' ', text.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => set.push_str("\\textbackslash{}"),
            '{' | '}' | '%' | '&' | '#' | '$' | '_' => {
                set.push('\\');
                set.push(letter);
            }
            // T^12 is a power, 2^ and ^* are ups.
            '^' if matches!(before, 'T' | 'F' | '.' | ')') => {
                set.push_str("\\textsuperscript{");
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    set.push(digit);
                }
                set.push('}');
            }
            '^' => set.push_str("$\\uparrow$"),
            // A down stands alone; others are letters of words.
            'v' if !before.is_alphabetic()
                && !letters.peek().is_some_and(|next| next.is_alphabetic()) =>
            {
                set.push_str("$\\downarrow$");
            }
            '*' => set.push_str("$*$"),
            '|' => set.push_str("$|$"),
            '<' => set.push_str("$<$"),
            '>' => set.push_str("$>$"),
            '~' => set.push_str("\\textasciitilde{}"),
            '\n' => set.push(' '),
            _ => set.push(letter),
        }
        before = letter;
    }
    set.replace("+-", "$\\pm$").replace("$$", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_latex() {
        assert_eq!(escaped("{1|0}*^"), "\\{1$|$0\\}$*\\uparrow$");
        assert_eq!(escaped("{1||1/2|0}"), "\\{1$||$1/2$|$0\\}");
        assert_eq!(
            escaped("T^12 .^3 F"),
            "T\\textsuperscript{12} .\\textsuperscript{3} F"
        );
        assert_eq!(escaped("+-1/8"), "$\\pm$1/8");
        assert_eq!(escaped("a_b & 5%"), "a\\_b \\& 5\\%");
        assert_eq!(escaped("value_id"), "value\\_id");
        assert_eq!(escaped("{v3|v*}"), "\\{$\\downarrow$3$|\\downarrow*$\\}");
    }

    #[test]
    fn values_survive_markdown() {
        assert_eq!(plain("{*||-1*|-3/2}"), "{\\*\\|\\|-1\\*\\|-3/2}");
    }
}
