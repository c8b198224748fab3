//! From a decided comparison to its certificate: the winner's replies, found by asking the search, written in literal moves.
//!
//! The positions here are the checker's sums ([`crate::certify`]), not the search's: what the search collapses, such as canonical values
//! and runners, must be played out, for the checker to follow.

use rustc_hash::FxHashMap;
use toads_game::{Arena, Dyadic, Relation, Value};
use toads_strip::{Strip, Variant};

use crate::certify::{self, Number, Side, Slot, Tree};
use crate::error::{Result, SearchError};
use crate::gather::gather;
use crate::position::Position;
use crate::solve::{Ended, Solver};
use crate::sum::{Sum, Summand};

/// A value with more nodes than this, written as a tree, is not written.
const LARGEST_TREE: usize = 10_000;

/// Writes the nodes of strategies, each once.
pub(crate) struct Writer<'a> {
    solver: Solver<'a>,
    variant: Variant,
    text: String,
    nodes: usize,
    /// Numbers and nodes by slots: a sum with these slots and no smaller a number is ≥ 0, says the node.
    proved: FxHashMap<Vec<Slot>, Vec<(Number, usize)>>,
    /// Bytes the text may have.
    limit: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(solver: Solver<'a>, variant: Variant, limit: usize) -> Self {
        Self {
            solver,
            variant,
            text: String::new(),
            nodes: 0,
            proved: FxHashMap::default(),
            limit,
        }
    }

    /// The certificate that G and H compare like this.
    pub(crate) fn write(mut self, g: &Sum, h: &Sum, relation: Relation) -> Result<String> {
        let arena = self.solver.knowledge.terms.arena();
        let (g, h) = (literal(arena, g)?, literal(arena, h)?);
        let header = format!(
            "{}\nvariant {}\nclaim {g} {relation} {h}\n",
            certify::FIRST_LINE,
            self.variant
        );
        let mut difference = g;
        let minus = h.negative();
        difference.slots.extend(minus.slots);
        difference.number = difference
            .number
            .plus(minus.number)
            .ok_or(SearchError::TooLarge)?;
        let difference = self.normal(&difference)?;
        let negative = self.normal(&difference.negative())?;
        let (first, second) = (("G - H", &difference), ("H - G", &negative));
        let conclusions = match relation {
            Relation::Equal => [self.at_least(first)?, self.at_least(second)?],
            Relation::Greater => [self.at_least(first)?, self.wins_first(first)?],
            Relation::Less => [self.at_least(second)?, self.wins_first(second)?],
            Relation::Confused => [self.wins_first(first)?, self.wins_first(second)?],
        };
        let body = header + &self.text + &conclusions.concat();
        let checksum = certify::checksum_line(&body);
        Ok(body + &checksum)
    }

    fn at_least(&mut self, (name, sum): (&str, &certify::Sum)) -> Result<String> {
        Ok(format!("{name} >= 0 by {}\n", self.prove(sum)?))
    }

    fn wins_first(&mut self, (name, sum): (&str, &certify::Sum)) -> Result<String> {
        Ok(format!("{name} |> 0 by {}\n", self.reply(sum)?))
    }

    fn jumps(&self) -> bool {
        self.variant.has_jumps()
    }

    fn normal(&self, sum: &certify::Sum) -> Result<certify::Sum> {
        sum.normal(self.jumps()).ok_or(SearchError::TooLarge)
    }

    /// Why a sum in normal form, which is ≥ 0, is: its floor, or a node, written if need be.
    fn prove(&mut self, sum: &certify::Sum) -> Result<String> {
        if let Some(known) = self.known(sum) {
            return Ok(known);
        }
        let mut lines = String::new();
        for threat in sum.moves(Side::Right, self.jumps()) {
            let after = sum
                .after(Side::Right, threat, self.jumps())
                .ok_or(SearchError::TooLarge)?;
            let is_won = self
                .normal(&after)?
                .floor()
                .is_some_and(|floor| floor > Number::ZERO);
            let reply = if is_won {
                "!".to_owned()
            } else {
                self.reply(&after)?
            };
            for word in ["  ", &certify::move_name(threat), " ", &reply, "\n"] {
                lines.push_str(word);
            }
        }
        self.nodes += 1;
        for word in [
            "node ",
            &self.nodes.to_string(),
            " ",
            &sum.to_string(),
            "\n",
        ] {
            self.text.push_str(word);
        }
        self.text.push_str(&lines);
        if self.text.len() > self.limit {
            return Err(SearchError::CertificateTooLarge { limit: self.limit });
        }
        let same = self.proved.entry(sum.slots.clone()).or_default();
        same.push((sum.number, self.nodes));
        Ok(self.nodes.to_string())
    }

    fn known(&self, sum: &certify::Sum) -> Option<String> {
        if sum.floor().is_some_and(|floor| floor >= Number::ZERO) {
            return Some("!".to_owned());
        }
        let same = self.proved.get(&sum.slots)?;
        let node = same.iter().find(|(number, _)| *number <= sum.number)?;
        Some(node.1.to_string())
    }

    /// Left's winning move in a sum, and why what it leads to is ≥ 0: one that is written already, else the first found.
    fn reply(&mut self, sum: &certify::Sum) -> Result<String> {
        let mut options = Vec::new();
        for reply in sum.moves(Side::Left, self.jumps()) {
            let after = sum
                .after(Side::Left, reply, self.jumps())
                .ok_or(SearchError::TooLarge)?;
            let after = self.normal(&after)?;
            if let Some(known) = self.known(&after) {
                return Ok(format!("{} {known}", certify::move_name(reply)));
            }
            options.push((reply, after));
        }
        let mut positions = Vec::new();
        for (_, option) in &options {
            positions.push(self.position(option)?);
        }
        // What the search knows costs nothing, and is what the search went through.
        let mut chosen = positions
            .iter()
            .position(|position| self.solver.known(position, true) == Some(true));
        for (at, position) in positions.iter().enumerate() {
            if chosen.is_some() {
                break;
            }
            let holds = self
                .solver
                .holds(position, true)
                .map_err(|ended| match ended {
                    Ended::Stopped => SearchError::Stopped,
                    Ended::Full => SearchError::Full,
                    Ended::Deep => SearchError::TooDeep,
                })?;
            chosen = holds.then_some(at);
        }
        let (reply, after) = &options[chosen.ok_or(SearchError::NoReply)?];
        let node = self.prove(after)?;
        Ok(format!("{} {node}", certify::move_name(*reply)))
    }

    /// The same sum for the search.
    fn position(&mut self, sum: &certify::Sum) -> Result<Position> {
        let arena = self.solver.knowledge.terms.arena();
        let mut summands = Sum::new();
        for slot in &sum.slots {
            let summand = match slot {
                Slot::Row(row) => {
                    let strip = Strip::parse(row.text()).map_err(|_| SearchError::NoReply)?;
                    Summand::Strip(strip)
                }
                Slot::Tree(tree) => Summand::Value(value_of(arena, tree)?),
                Slot::Empty => continue,
            };
            summands = summands.plus(summand);
        }
        let number: Dyadic = sum.number.to_string().parse()?;
        summands = summands.plus(Summand::Value(arena.number(number)?));
        gather(
            &mut self.solver.knowledge,
            self.variant,
            &summands,
            &Sum::new(),
        )
    }
}

fn value_of(arena: &Arena, tree: &Tree) -> Result<Value> {
    match tree {
        Tree::Number(number) => {
            let number: Dyadic = number.to_string().parse()?;
            Ok(arena.number(number)?)
        }
        Tree::Options { left, right } => {
            let values = |options: &[std::rc::Rc<Tree>]| -> Result<Vec<Value>> {
                options
                    .iter()
                    .map(|option| value_of(arena, option))
                    .collect()
            };
            Ok(arena.canonical(&values(left)?, &values(right)?)?)
        }
    }
}

/// A sum as the checker reads it: strips in letters, values as trees.
fn literal(arena: &Arena, sum: &Sum) -> Result<certify::Sum> {
    let mut text = Vec::new();
    for (negated, summand) in sum.summands() {
        text.push(if negated { "-" } else { "+" }.to_owned());
        text.push(match summand {
            Summand::Strip(strip) => strip.to_string(),
            Summand::Value(value) => {
                let mut room = LARGEST_TREE;
                tree_text(arena, *value, &mut room)?
            }
        });
    }
    let text = if text.is_empty() {
        "0".to_owned()
    } else if text[0] == "+" {
        text[1..].join(" ")
    } else {
        format!("0 {}", text.join(" "))
    };
    certify::Sum::read(&text).ok_or(SearchError::TooLarge)
}

fn tree_text(arena: &Arena, value: Value, room: &mut usize) -> Result<String> {
    if let Some(number) = arena.as_number(value) {
        return Ok(number.to_string());
    }
    *room = room.checked_sub(1).ok_or(SearchError::ValueTooLarge {
        limit: LARGEST_TREE,
    })?;
    let mut list = |options: Vec<Value>| -> Result<String> {
        let texts: Result<Vec<_>> = options
            .into_iter()
            .map(|option| tree_text(arena, option, room))
            .collect();
        Ok(texts?.join(","))
    };
    let left = list(arena.left_options(value).collect())?;
    let right = list(arena.right_options(value).collect())?;
    Ok(format!("{{{left}|{right}}}"))
}
