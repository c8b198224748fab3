//! Tables for documents: Markdown and LaTeX.

use std::io::{self, Write};

use super::{Cell, Layout};

/// A pipe table; a bar inside a cell is escaped.
pub(super) struct Markdown;

impl Markdown {
    fn line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
        for cell in cells {
            write!(out, "| {} ", cell.replace('|', "\\|").replace('\n', " "))?;
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

/// The text as LaTeX sets it: its own special characters by name, and those of values in mathematics.
fn escaped(text: &str) -> String {
    let mut set = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => set.push_str("\\textbackslash{}"),
            '{' | '}' | '%' | '&' | '#' | '$' | '_' => {
                set.push('\\');
                set.push(letter);
            }
            '^' => set.push_str("$\\uparrow$"),
            '*' => set.push_str("$*$"),
            '|' => set.push_str("$|$"),
            '<' => set.push_str("$<$"),
            '>' => set.push_str("$>$"),
            '~' => set.push_str("\\textasciitilde{}"),
            '\n' => set.push(' '),
            _ => set.push(letter),
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_latex() {
        assert_eq!(escaped("{1|0}*^"), "\\{1$|$0\\}$*$$\\uparrow$");
        assert_eq!(escaped("a_b & 5%"), "a\\_b \\& 5\\%");
    }
}
