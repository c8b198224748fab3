//! The text of statements, as far as it has to be understood before SQLite sees it.

/// A piece of SQL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece<'a> {
    /// An identifier or keyword without quotes.
    Word(&'a str),
    /// `;`
    End,
    /// Blanks and comments.
    Blank(&'a str),
    /// A text, a quoted identifier, a number, an operator; `closed` unless a quote or comment is never closed.
    Other { text: &'a str, closed: bool },
}

/// Cuts the first piece off.
fn piece(text: &str) -> Option<(Piece<'_>, &str)> {
    let first = text.chars().next()?;
    let cut = |at: usize| text.split_at(at);
    let while_in = |is_in: fn(char) -> bool| text.find(|c| !is_in(c)).unwrap_or(text.len());
    let quoted = |close: char, from: usize| match text[from..].find(close) {
        Some(at) => (from + at + close.len_utf8(), true),
        None => (text.len(), false),
    };
    let (at, closed) = match first {
        ';' => return Some((Piece::End, &text[1..])),
        _ if first.is_whitespace() => {
            let (blank, rest) = cut(while_in(char::is_whitespace));
            return Some((Piece::Blank(blank), rest));
        }
        _ if text.starts_with("--") => {
            let (blank, rest) = cut(quoted('\n', 2).0);
            return Some((Piece::Blank(blank), rest));
        }
        _ if text.starts_with("/*") => match text[2..].find("*/") {
            Some(at) => {
                let (blank, rest) = cut(at + 4);
                return Some((Piece::Blank(blank), rest));
            }
            None => (text.len(), false),
        },
        _ if first.is_alphabetic() || first == '_' => {
            let (word, rest) = cut(while_in(|c| c.is_alphanumeric() || c == '_' || c == '$'));
            return Some((Piece::Word(word), rest));
        }
        '\'' | '"' | '`' => quoted(first, 1),
        '[' => quoted(']', 1),
        _ => (first.len_utf8(), true),
    };
    let (text, rest) = cut(at);
    Some((Piece::Other { text, closed }, rest))
}

fn pieces(mut text: &str) -> impl Iterator<Item = Piece<'_>> {
    std::iter::from_fn(move || {
        let (piece, rest) = piece(text)?;
        text = rest;
        Some(piece)
    })
}

/// The statements of a text, without the semicolons between them; empty ones are left out.
pub fn split(text: &str) -> Vec<String> {
    let mut statements = vec![String::new()];
    let mut is_empty = true;
    for piece in pieces(text) {
        let current = statements.last_mut().expect("there is always one");
        match piece {
            Piece::End if is_empty => current.clear(),
            Piece::End => {
                is_empty = true;
                statements.push(String::new());
            }
            Piece::Blank(blank) => current.push_str(blank),
            Piece::Word(text) | Piece::Other { text, .. } => {
                is_empty = false;
                current.push_str(text);
            }
        }
    }
    if is_empty {
        statements.pop();
    }
    for statement in &mut statements {
        *statement = statement.trim().to_owned();
    }
    statements
}

/// Whether a text ends with a semicolon outside of quotes and comments, so that nothing more need be waited for.
pub fn is_complete(text: &str) -> bool {
    let last = pieces(text).filter(|piece| !matches!(piece, Piece::Blank(_)));
    last.last() == Some(Piece::End)
}

/// The same statement with the table `values` in quotes. To SQLite the word is a keyword; where it is one, a parenthesis
/// follows.
pub(super) fn with_quoted_values(statement: &str) -> String {
    let pieces: Vec<_> = pieces(statement).collect();
    let mut quoted = String::with_capacity(statement.len() + 16);
    for (at, piece) in pieces.iter().enumerate() {
        let mut behind = pieces[at + 1..].iter();
        let next = behind.find(|piece| !matches!(piece, Piece::Blank(_)));
        match *piece {
            Piece::Word(word)
                if word.eq_ignore_ascii_case("values")
                    && !matches!(next, Some(Piece::Other { text: "(", .. })) =>
            {
                quoted.push_str("\"values\"");
            }
            Piece::Word(text) | Piece::Blank(text) | Piece::Other { text, .. } => {
                quoted.push_str(text);
            }
            Piece::End => quoted.push(';'),
        }
    }
    quoted
}

/// The words, quoted things, numbers and signs of a statement.
pub(super) fn tokens(statement: &str) -> Vec<&str> {
    let token = |piece| match piece {
        Piece::Word(text) | Piece::Other { text, .. } => Some(text),
        Piece::End => Some(";"),
        Piece::Blank(_) => None,
    };
    pieces(statement).filter_map(token).collect()
}

/// What would make SQLite wait for more: the sign that begins a text, name or comment that is never closed.
pub(super) fn unclosed(statement: &str) -> Option<&str> {
    pieces(statement).find_map(|piece| match piece {
        Piece::Other {
            text,
            closed: false,
        } => Some(&text[..if text.starts_with("/*") { 2 } else { 1 }]),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_at_semicolons_outside_of_quotes_and_comments() {
        assert_eq!(
            split("select ';', \"a;b\" -- ; no\n; select /* ; */ 2 ;; "),
            ["select ';', \"a;b\" -- ; no", "select /* ; */ 2"]
        );
        assert_eq!(split(" ;-- nothing\n"), [""; 0]);
        assert!(is_complete("select 1; -- done"));
        for open in ["select 1", "select ';", "select 1 -- ;", "", "/* ;"] {
            assert!(!is_complete(open), "{open}");
        }
    }

    #[test]
    fn the_table_of_values_is_told_from_the_keyword() {
        for (typed, read) in [
            ("select * from values", "select * from \"values\""),
            (
                "select Values.kind from VALUES v",
                "select \"values\".kind from \"values\" v",
            ),
            ("values (1), (2)", "values (1), (2)"),
            (
                "with t(a) as (values/**/(1)) select 'values'",
                "with t(a) as (values/**/(1)) select 'values'",
            ),
            (
                "select values_ from values;",
                "select values_ from \"values\";",
            ),
        ] {
            assert_eq!(with_quoted_values(typed), read);
        }
        assert_eq!(unclosed("select 'a"), Some("'"));
        assert_eq!(unclosed("select 'a''b' /* c */"), None);
        assert_eq!(unclosed("select 1 /* c"), Some("/*"));
    }
}
