//! The checker of certificates. It knows the rules of the game and nothing of the search: nothing outside of this folder is used, no
//! canonical forms, no tables. docs/CERTIFICATES.md has the format, and a sentence of proof for each rule that is applied here.

mod error;
mod number;
mod row;
mod sum;
mod tree;

pub use error::CertificateError;
pub(crate) use number::Number;
pub(crate) use row::Side;
pub(crate) use sum::{Move, Slot, Sum};
pub(crate) use tree::Tree;

/// The first line of a certificate: what it is, and the version of the format.
pub(crate) const FIRST_LINE: &str = "toads certificate 1";

/// Certificates of more bytes are not read.
pub const MAX_BYTES: usize = 1 << 30;

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// `hop` or `hopless`.
    pub variant: String,
    /// G, as the certificate has it.
    pub left: String,
    /// `=`, `<`, `>` or `||`.
    pub relation: String,
    /// H.
    pub right: String,
    /// Positions of the strategies.
    pub nodes: usize,
}

/// Checks a certificate; what it claims is true if this succeeds.
///
/// Linear in the size of the file, apart from the length of the strips. Holds the sum of every node in memory.
pub fn certify(text: &str) -> Result<Proved, CertificateError> {
    if text.len() > MAX_BYTES {
        return Err(CertificateError::TooLarge {
            bytes: text.len(),
            limit: MAX_BYTES,
        });
    }
    if text.lines().next() != Some(FIRST_LINE) {
        return Err(CertificateError::Unknown {
            expected: FIRST_LINE,
        });
    }
    let body = checked_body(text).ok_or(CertificateError::Checksum)?;
    let mut reader = Reader {
        lines: body.lines().enumerate().skip(1).peekable(),
        line: 1,
        jumps: true,
        nodes: Vec::new(),
    };
    reader.read().map_err(|reason| CertificateError::Line {
        line: reader.line,
        reason,
    })
}

/// The text before the last line, which is `checksum` and sixteen digits: FNV-1a over all bytes before it.
fn checked_body(text: &str) -> Option<&str> {
    let at = text.strip_suffix('\n')?.rfind('\n')? + 1;
    let (body, last) = text.split_at(at);
    (last == checksum_line(body)).then_some(body)
}

/// The last line for this text.
pub(crate) fn checksum_line(body: &str) -> String {
    let hash = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("checksum {hash:016x}\n")
}

/// The name of a slot: a, b, …, z, aa, ab, …
pub(crate) fn slot_name(mut slot: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push((b'a' + (slot % 26) as u8) as char);
        match (slot / 26).checked_sub(1) {
            Some(next) => slot = next,
            None => break,
        }
    }
    letters.iter().rev().collect()
}

/// `a3`: the piece on square 3 (or option 3) of the first slot; `#`: in the number.
pub(crate) fn move_name(played: Move) -> String {
    match played {
        Move::Slot(slot, which) => format!("{}{}", slot_name(slot), which + 1),
        Move::Number => "#".to_owned(),
    }
}

fn read_move(text: &str) -> Option<Move> {
    if text == "#" {
        return Some(Move::Number);
    }
    let digits = text.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = &text[..text.len() - digits.len()];
    if letters.is_empty() || letters.len() > 4 {
        return None;
    }
    let slot = letters.bytes().fold(0_usize, |slot, letter| {
        slot * 26 + (letter - b'a') as usize + 1
    });
    let which: usize = digits.parse().ok()?;
    let played = Move::Slot(slot.checked_sub(1)?, which.checked_sub(1)?);
    (move_name(played) == text).then_some(played)
}

/// How a sum is shown to be at least 0.
#[derive(Clone, Copy)]
enum Ground {
    /// `!`: its floor is.
    Floor,
    /// A node with the same slots and no larger a number.
    Node(usize),
}

/// Lines as they come, and the nodes proved so far.
struct Reader<'a, I: Iterator<Item = (usize, &'a str)>> {
    lines: std::iter::Peekable<I>,
    line: usize,
    jumps: bool,
    nodes: Vec<Sum>,
}

type Read<T> = Result<T, String>;

impl<'a, I: Iterator<Item = (usize, &'a str)>> Reader<'a, I> {
    fn next(&mut self) -> Read<&'a str> {
        let (at, text) = self.lines.next().ok_or("the certificate ends here")?;
        self.line = at + 1;
        Ok(text)
    }

    fn read(&mut self) -> Read<Proved> {
        let variant = self.next()?;
        let variant = variant
            .strip_prefix("variant ")
            .ok_or("expected `variant`")?;
        self.jumps = match variant {
            "hop" => true,
            "hopless" => false,
            _ => return Err("the variant is `hop` or `hopless`".to_owned()),
        };
        let claim = self.next()?;
        let claim = claim.strip_prefix("claim ").ok_or("expected `claim`")?;
        let (left, relation, right) = [" = ", " < ", " > ", " || "]
            .into_iter()
            .find_map(|sign| claim.split_once(sign).map(|(g, h)| (g, sign.trim(), h)))
            .ok_or("expected two sums and a relation")?;
        let g = Sum::read(left).ok_or("the sum on the left cannot be read")?;
        let h = Sum::read(right).ok_or("the sum on the right cannot be read")?;
        let mut difference = g;
        let minus = h.negative();
        difference.slots.extend(minus.slots);
        difference.number = difference.number.plus(minus.number).ok_or(TOO_LARGE)?;
        let difference = difference.normal(self.jumps).ok_or(TOO_LARGE)?;
        let negative = difference.negative().normal(self.jumps).ok_or(TOO_LARGE)?;
        while let Some((_, text)) = self.lines.peek()
            && text.starts_with("node ")
        {
            self.read_node()?;
        }
        // Whether G ≥ H, Left wins G − H moving first, and the same of H − G.
        let mut shown = Vec::new();
        while self.lines.peek().is_some() {
            shown.push(self.read_conclusion(&difference, &negative)?);
        }
        let needed = match relation {
            "=" => ["G - H >= 0", "H - G >= 0"],
            ">" => ["G - H >= 0", "G - H |> 0"],
            "<" => ["H - G >= 0", "H - G |> 0"],
            _ => ["G - H |> 0", "H - G |> 0"],
        };
        if shown != needed {
            return Err(format!(
                "the claim needs `{}` and `{}`",
                needed[0], needed[1]
            ));
        }
        Ok(Proved {
            variant: variant.to_owned(),
            left: left.to_owned(),
            relation: relation.to_owned(),
            right: right.to_owned(),
            nodes: self.nodes.len(),
        })
    }

    /// `node 7 SUM`, and a line for each of Right's moves: the move, Left's reply, and why that is at least 0.
    fn read_node(&mut self) -> Read<()> {
        let text = self.next()?;
        let text = text.strip_prefix("node ").ok_or("expected `node`")?;
        let (number, text) = text.split_once(' ').ok_or("expected a number and a sum")?;
        if number != (self.nodes.len() + 1).to_string() {
            return Err(format!("this should be node {}", self.nodes.len() + 1));
        }
        let sum = Sum::read(text).ok_or("the sum cannot be read")?;
        let normal = sum.normal(self.jumps).ok_or(TOO_LARGE)?;
        if normal != sum || normal.to_string() != text {
            return Err(format!("the sum is not in normal form: `{normal}`"));
        }
        for threat in sum.moves(Side::Right, self.jumps) {
            let text = self.next()?;
            let mut words = text
                .strip_prefix("  ")
                .ok_or("a move of Right is missing")?
                .split(' ');
            let (Some(first), Some(second), third, None) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                return Err("expected a move, a reply and a node".to_owned());
            };
            if first != move_name(threat) {
                return Err(format!("expected Right's move {}", move_name(threat)));
            }
            let after = sum
                .after(Side::Right, threat, self.jumps)
                .ok_or("Right has no such move")?;
            match third {
                // Left has won already: it is more than 0.
                None if second == "!" => {
                    let floor = after
                        .normal(self.jumps)
                        .ok_or(TOO_LARGE)?
                        .floor()
                        .ok_or(TOO_LARGE)?;
                    if floor <= Number::ZERO {
                        return Err(format!("the floor is {floor}, not above 0"));
                    }
                }
                None => return Err("expected a reply and a node, or !".to_owned()),
                Some(ground) => self.check_reply(&after, second, ground)?,
            }
        }
        self.nodes.push(normal);
        Ok(())
    }

    /// Left's move in the sum, to one that is at least 0.
    fn check_reply(&self, sum: &Sum, reply: &str, ground: &str) -> Read<()> {
        let reply = read_move(reply).ok_or("the move cannot be read")?;
        let after = sum
            .after(Side::Left, reply, self.jumps)
            .ok_or("Left has no such move")?;
        let after = after.normal(self.jumps).ok_or(TOO_LARGE)?;
        self.check_at_least_zero(&after, ground)
    }

    fn check_at_least_zero(&self, sum: &Sum, ground: &str) -> Read<()> {
        let ground = match ground {
            "!" => Ground::Floor,
            number => {
                let at: usize = number.parse().map_err(|_| "expected a node or !")?;
                if at.to_string() != number {
                    return Err("expected a node or !".to_owned());
                }
                Ground::Node(at)
            }
        };
        match ground {
            Ground::Floor => {
                let floor = sum.floor().ok_or(TOO_LARGE)?;
                if floor < Number::ZERO {
                    return Err(format!("the floor of `{sum}` is {floor}, below 0"));
                }
            }
            Ground::Node(at) => {
                let node = at.checked_sub(1).and_then(|at| self.nodes.get(at));
                let node = node.ok_or_else(|| format!("node {at} does not come before"))?;
                if node.slots != sum.slots || node.number > sum.number {
                    return Err(format!("`{sum}` is not at least node {at}, `{node}`"));
                }
            }
        }
        Ok(())
    }

    /// `G - H >= 0 by 12` or `G - H |> 0 by a3 9`, or the same of `H - G`.
    fn read_conclusion(&mut self, difference: &Sum, negative: &Sum) -> Read<&'static str> {
        let text = self.next()?;
        let (what, by) = text
            .split_once(" by ")
            .ok_or("expected a node or a conclusion")?;
        let (sum, what) = match what {
            "G - H >= 0" => (difference, "G - H >= 0"),
            "G - H |> 0" => (difference, "G - H |> 0"),
            "H - G >= 0" => (negative, "H - G >= 0"),
            "H - G |> 0" => (negative, "H - G |> 0"),
            _ => return Err("expected `G - H` or `H - G`, `>= 0` or `|> 0`".to_owned()),
        };
        if what.ends_with(">= 0") {
            self.check_at_least_zero(sum, by)?;
        } else {
            let (reply, ground) = by.split_once(' ').ok_or("expected a move and a node")?;
            self.check_reply(sum, reply, ground)?;
        }
        Ok(what)
    }
}

/// A number left the checker's range.
const TOO_LARGE: &str = "a number is too large for the checker";
