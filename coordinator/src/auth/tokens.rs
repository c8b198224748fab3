//! The coordinator's tokens, and the question whether a caller has the right one.

use std::fmt;
use std::sync::Arc;

use blake3::Hash;
use toads_wire::client::{Token, TokenError};

use super::role::{Role, allowed};

/// Who may come in. Holds hashes only: what is not kept cannot leak.
#[derive(Clone)]
pub struct Tokens(Arc<[(Role, Hash)]>);

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |wanted: Role| self.0.iter().filter(|(role, _)| *role == wanted).count();
        let [workers, operators, readers] = Role::ALL.map(count);
        write!(
            f,
            "Tokens({workers} worker, {operators} operator, {readers} reader)"
        )
    }
}

/// What is wrong with a line of the token file. Says nothing of the tokens.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TokensError {
    /// Nothing is there.
    #[error(
        "there are no tokens; each line is a role and a token, such as `worker 4f0c…`: `toads cert new` makes some"
    )]
    Empty,
    /// Not a role and a token.
    #[error("a line is a role (worker, operator or reader), a blank and a token")]
    Line,
    /// The token itself.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The same token again.
    #[error("the token of line {0} comes again; every token stands once, for one role")]
    Duplicate(usize),
}

/// Why a call is not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Denied {
    /// It carries no token.
    NoToken,
    /// Nobody has that token.
    WrongToken,
    /// The token is of a role that may not do this.
    WrongRole {
        /// The caller's.
        has: Role,
        /// Those that may.
        needs: &'static [Role],
    },
}

impl fmt::Display for Denied {
    /// What is wrong and what to do, for the caller.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoToken => f.write_str(
                "this coordinator asks for a token; give the file with yours as --token-file (or TOADS_TOKEN_FILE)",
            ),
            Self::WrongToken => f.write_str(
                "this coordinator does not know the token; ask its operator for one, and give it as --token-file",
            ),
            Self::WrongRole { has, needs } => {
                let needs: Vec<_> = needs.iter().map(Role::to_string).collect();
                write!(
                    f,
                    "the token is of the role {has}, and this needs the role {}; give such a token as --token-file",
                    needs.join(" or ")
                )
            }
        }
    }
}

impl Tokens {
    /// Reads a token file: lines `role token`; empty lines and lines that begin with `#` do not count. The error comes
    /// with the number of its line, from 1.
    pub fn parse(text: &str) -> Result<Self, (usize, TokensError)> {
        let mut found: Vec<(usize, Role, Hash)> = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let [role, word] = words[..] else {
                return Err((number, TokensError::Line));
            };
            let role = role.parse().map_err(|()| (number, TokensError::Line))?;
            let token = Token::new(word).map_err(|error| (number, error.into()))?;
            let hash = hash(token.secret());
            if let Some((first, ..)) = found.iter().find(|(.., other)| *other == hash) {
                return Err((number, TokensError::Duplicate(*first)));
            }
            found.push((number, role, hash));
        }
        if found.is_empty() {
            return Err((1, TokensError::Empty));
        }
        Ok(Self(
            found
                .into_iter()
                .map(|(_, role, hash)| (role, hash))
                .collect(),
        ))
    }

    /// The role of whoever shows this `Authorization` header. Takes the same time for every token that is not there:
    /// hashes are compared, each with each, and blake3 compares them in constant time.
    pub(crate) fn role(&self, header: Option<&[u8]>) -> Result<Role, Denied> {
        let header = header.ok_or(Denied::NoToken)?;
        let shown = header
            .strip_prefix(b"Bearer ")
            .or_else(|| header.strip_prefix(b"bearer "))
            .ok_or(Denied::NoToken)?;
        let shown = blake3::hash(shown.trim_ascii());
        let mut found = None;
        for &(role, known) in self.0.iter() {
            if known == shown {
                found = Some(role);
            }
        }
        found.ok_or(Denied::WrongToken)
    }

    /// Whether whoever shows this header may make the call with this path.
    pub(crate) fn admit(&self, path: &str, header: Option<&[u8]>) -> Result<(), Denied> {
        match allowed(path) {
            None => Ok(()),
            Some(needs) => self.demand(needs, header),
        }
    }

    /// Whether whoever shows this header has one of these roles.
    pub(crate) fn demand(
        &self,
        needs: &'static [Role],
        header: Option<&[u8]>,
    ) -> Result<(), Denied> {
        let has = self.role(header)?;
        if needs.contains(&has) {
            Ok(())
        } else {
            Err(Denied::WrongRole { has, needs })
        }
    }
}

fn hash(token: &str) -> Hash {
    blake3::hash(token.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# ours\nworker aaaaaaaaaaaaaaaaaaaa\n\noperator\tbbbbbbbbbbbbbbbbbbbb\nreader cccccccccccccccccccc\nreader dddddddddddddddddddd\n";

    #[test]
    fn errors_name_the_line_and_never_the_token() {
        let secret = "a-secret-of-22-letters";
        for (text, line, part) in [
            (String::new(), 1, "no tokens"),
            ("# only this\n".into(), 1, "no tokens"),
            (
                format!("\nroot {secret}\n"),
                2,
                "worker, operator or reader",
            ),
            ("worker\n".into(), 1, "a role"),
            (format!("worker {secret} more\n"), 1, "a role"),
            ("reader short-secret\n".into(), 1, "12 characters"),
            (format!("worker {secret}é\n"), 1, "visible ASCII"),
            (
                format!("worker {secret}\n#\nreader {secret}\n"),
                3,
                "the token of line 1 comes again",
            ),
        ] {
            let (at, error) = Tokens::parse(&text).unwrap_err();
            let message = error.to_string();
            assert_eq!(at, line, "{message}");
            assert!(message.contains(part), "{message}");
            assert!(!message.contains("secret"), "{message}");
        }
    }

    #[test]
    fn p18_roles_are_different() {
        let tokens = Tokens::parse(FILE).unwrap();
        let try_as = |token: &str, path: &str| {
            tokens.admit(path, Some(format!("Bearer {token}").as_bytes()))
        };
        let (worker, operator, reader) = (
            "aaaaaaaaaaaaaaaaaaaa",
            "bbbbbbbbbbbbbbbbbbbb",
            "dddddddddddddddddddd",
        );
        let (lease, query, pause) = (
            "/toads.v1.Workers/Lease",
            "/toads.v1.Census/Query",
            "/toads.v1.Census/Pause",
        );
        let may: Vec<_> = [worker, operator, reader]
            .map(|token| [lease, query, pause].map(|path| try_as(token, path).is_ok()))
            .into();
        assert_eq!(
            may,
            [
                [true, false, false],
                [false, true, true],
                [false, true, false]
            ]
        );
        assert_eq!(
            try_as(reader, pause),
            Err(Denied::WrongRole {
                has: Role::Reader,
                needs: &[Role::Operator]
            })
        );
        assert_eq!(
            try_as("eeeeeeeeeeeeeeeeeeee", query),
            Err(Denied::WrongToken)
        );
        assert_eq!(try_as("", query), Err(Denied::WrongToken));
        assert_eq!(tokens.admit(query, None), Err(Denied::NoToken));
        assert_eq!(
            tokens.admit(query, Some(b"Basic aaaaaaaaaaaaaaaaaaaa")),
            Err(Denied::NoToken)
        );
        assert_eq!(tokens.admit("/grpc.health.v1.Health/Check", None), Ok(()));
        assert_eq!(
            format!("{tokens:?}"),
            "Tokens(1 worker, 1 operator, 2 reader)"
        );
    }
}
