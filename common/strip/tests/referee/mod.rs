//! The referee: a slow evaluator that is obviously right.
//!
//! It shares no code with the crate. Strips are plain strings of `T`, `F` and `.`, the rules are written out
//! again, and a value is found from the definition: the canonical form of { values of Left's moves | values of
//! Right's moves }. Games are kept in a list without repetition, so that equal canonical forms are equal
//! numbers. Nothing is clever here, and nothing should become so.

use std::collections::{BTreeSet, HashMap};

/// A canonical form: its place in the list of the [`Referee`] that made it.
pub(crate) type Game = usize;

/// Left's and Right's options, as sets.
type Options = (BTreeSet<Game>, BTreeSet<Game>);

/// The squares a player's piece may go to.
fn moves(strip: &str, hop: bool, (piece, enemy): (u8, u8), step: isize) -> Vec<String> {
    let squares = strip.as_bytes();
    let at = |place: isize| {
        usize::try_from(place)
            .ok()
            .and_then(|place| squares.get(place))
            .copied()
    };
    let mut found = Vec::new();
    for from in 0..squares.len() as isize {
        if at(from) != Some(piece) {
            continue;
        }
        let to = if at(from + step) == Some(b'.') {
            from + step
        } else if hop && at(from + step) == Some(enemy) && at(from + 2 * step) == Some(b'.') {
            from + 2 * step
        } else {
            continue;
        };
        let mut after = squares.to_vec();
        after[from as usize] = b'.';
        after[to as usize] = piece;
        found.push(String::from_utf8(after).unwrap());
    }
    found
}

/// Left's moves: toads go right.
pub(crate) fn left_moves(strip: &str, hop: bool) -> Vec<String> {
    moves(strip, hop, (b'T', b'F'), 1)
}

/// Right's moves: frogs go left.
pub(crate) fn right_moves(strip: &str, hop: bool) -> Vec<String> {
    moves(strip, hop, (b'F', b'T'), -1)
}

/// All strips of n squares.
pub(crate) fn all_strips(n: usize) -> Vec<String> {
    if n == 0 {
        return vec![String::new()];
    }
    let shorter = all_strips(n - 1);
    ["F", ".", "T"]
        .iter()
        .flat_map(|first| shorter.iter().map(move |rest| format!("{first}{rest}")))
        .collect()
}

/// Who wins when Left, or Right, moves first: found by playing, without values.
#[derive(Default)]
pub(crate) struct Player {
    wins: HashMap<(String, bool, bool), bool>,
}

impl Player {
    /// Whether the player to move (Left or not) wins.
    pub(crate) fn first_wins(&mut self, strip: &str, hop: bool, left: bool) -> bool {
        let key = (strip.to_owned(), hop, left);
        if let Some(&wins) = self.wins.get(&key) {
            return wins;
        }
        let options = if left {
            left_moves(strip, hop)
        } else {
            right_moves(strip, hop)
        };
        let wins = options
            .iter()
            .any(|option| !self.first_wins(option, hop, !left));
        self.wins.insert(key, wins);
        wins
    }
}

/// Canonical forms, and what was already found about them.
#[derive(Default)]
pub(crate) struct Referee {
    games: Vec<Options>,
    known: HashMap<Options, Game>,
    at_most: HashMap<(Game, Game), bool>,
    sums: HashMap<(Game, Game), Game>,
    values: HashMap<(String, bool), Game>,
}

impl Referee {
    /// The value of a strip.
    pub(crate) fn value(&mut self, strip: &str, hop: bool) -> Game {
        let key = (strip.to_owned(), hop);
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        let left = left_moves(strip, hop)
            .iter()
            .map(|option| self.value(option, hop))
            .collect();
        let right = right_moves(strip, hop)
            .iter()
            .map(|option| self.value(option, hop))
            .collect();
        let value = self.game(left, right);
        self.values.insert(key, value);
        value
    }

    /// The canonical form of {left | right}.
    pub(crate) fn game(&mut self, mut left: BTreeSet<Game>, mut right: BTreeSet<Game>) -> Game {
        // Bypass reversible options until there are none; then remove dominated ones.
        while let Some(bypassed) = self.bypass_one(&left, &right) {
            (left, right) = bypassed;
        }
        let kept_left: BTreeSet<Game> = left
            .iter()
            .copied()
            .filter(|&x| !left.iter().any(|&y| x != y && self.le(x, y)))
            .collect();
        let kept_right: BTreeSet<Game> = right
            .iter()
            .copied()
            .filter(|&x| !right.iter().any(|&y| x != y && self.le(y, x)))
            .collect();
        let options = (kept_left, kept_right);
        if let Some(&game) = self.known.get(&options) {
            return game;
        }
        self.games.push(options.clone());
        self.known.insert(options, self.games.len() - 1);
        self.games.len() - 1
    }

    /// Replaces one reversible option: a Left option with a Right option ≤ G by the Left options of that, and
    /// mirrored.
    fn bypass_one(&mut self, left: &BTreeSet<Game>, right: &BTreeSet<Game>) -> Option<Options> {
        for &option in left {
            for answer in self.games[option].1.clone() {
                // answer <= {left | right}
                let fails = self.games[answer]
                    .0
                    .clone()
                    .into_iter()
                    .any(|x| self.options_le(left, right, x))
                    || right.iter().any(|&y| self.le(y, answer));
                if !fails {
                    let mut bypassed = left.clone();
                    bypassed.remove(&option);
                    bypassed.extend(&self.games[answer].0);
                    return Some((bypassed, right.clone()));
                }
            }
        }
        for &option in right {
            for answer in self.games[option].0.clone() {
                if self.options_le(left, right, answer) {
                    let mut bypassed = right.clone();
                    bypassed.remove(&option);
                    bypassed.extend(&self.games[answer].1);
                    return Some((left.clone(), bypassed));
                }
            }
        }
        None
    }

    /// {left | right} ≤ h: no Left option is ≥ h, and no Right option of h is ≤ {left | right}.
    fn options_le(&mut self, left: &BTreeSet<Game>, right: &BTreeSet<Game>, h: Game) -> bool {
        if left.iter().any(|&x| self.le(h, x)) {
            return false;
        }
        // y <= {left | right} for a Right option y of h
        !self.games[h].1.clone().into_iter().any(|y| {
            !self.games[y]
                .0
                .clone()
                .into_iter()
                .any(|x| self.options_le(left, right, x))
                && !right.iter().any(|&z| self.le(z, y))
        })
    }

    /// g ≤ h: no Left option of g is ≥ h, no Right option of h is ≤ g.
    pub(crate) fn le(&mut self, g: Game, h: Game) -> bool {
        if let Some(&known) = self.at_most.get(&(g, h)) {
            return known;
        }
        let (left, right) = (self.games[g].0.clone(), self.games[h].1.clone());
        let result =
            !left.into_iter().any(|x| self.le(h, x)) && !right.into_iter().any(|y| self.le(y, g));
        self.at_most.insert((g, h), result);
        result
    }

    /// The sum, from the definition.
    pub(crate) fn add(&mut self, g: Game, h: Game) -> Game {
        if let Some(&known) = self.sums.get(&(g, h)) {
            return known;
        }
        let ((gl, gr), (hl, hr)) = (self.games[g].clone(), self.games[h].clone());
        let mut left: BTreeSet<Game> = gl.into_iter().map(|x| self.add(x, h)).collect();
        left.extend(hl.into_iter().map(|x| self.add(g, x)).collect::<Vec<_>>());
        let mut right: BTreeSet<Game> = gr.into_iter().map(|x| self.add(x, h)).collect();
        right.extend(hr.into_iter().map(|x| self.add(g, x)).collect::<Vec<_>>());
        let sum = self.game(left, right);
        self.sums.insert((g, h), sum);
        sum
    }

    /// The negative.
    pub(crate) fn neg(&mut self, g: Game) -> Game {
        let (left, right) = self.games[g].clone();
        let left = left.into_iter().map(|x| self.neg(x)).collect();
        let right = right.into_iter().map(|x| self.neg(x)).collect();
        self.game(right, left)
    }

    /// 0, n = {n − 1 | }, −n = { | 1 − n}.
    pub(crate) fn integer(&mut self, n: i64) -> Game {
        let mut left = BTreeSet::new();
        let mut right = BTreeSet::new();
        if n > 0 {
            left.insert(self.integer(n - 1));
        }
        if n < 0 {
            right.insert(self.integer(n + 1));
        }
        self.game(left, right)
    }

    /// The integer a game is, if it is one.
    pub(crate) fn as_integer(&self, g: Game) -> Option<i64> {
        let (left, right) = &self.games[g];
        match (left.first(), right.first()) {
            (None, None) => Some(0),
            (Some(&x), None) => self.as_integer(x).map(|x| x + 1),
            (None, Some(&y)) => self.as_integer(y).map(|y| y - 1),
            (Some(_), Some(_)) => None,
        }
    }

    /// Whether every Left option is below every Right option, here and below: a number.
    pub(crate) fn is_number(&mut self, g: Game) -> bool {
        let (left, right) = self.games[g].clone();
        let ordered = left
            .iter()
            .all(|&x| right.iter().all(|&y| self.le(x, y) && x != y));
        ordered
            && left
                .into_iter()
                .chain(right)
                .all(|option| self.is_number(option))
    }

    /// The Left stop (or the Right one), of games whose numbers are integers.
    pub(crate) fn stop(&self, g: Game, left: bool) -> i64 {
        if let Some(integer) = self.as_integer(g) {
            return integer;
        }
        let options = if left {
            &self.games[g].0
        } else {
            &self.games[g].1
        };
        let stops = options.iter().map(|&option| self.stop(option, !left));
        if left { stops.max() } else { stops.min() }
            .expect("what is no integer has options on both sides")
    }

    /// The depth of the canonical form.
    pub(crate) fn birthday(&self, g: Game) -> u64 {
        let (left, right) = &self.games[g];
        left.iter()
            .chain(right)
            .map(|&option| 1 + self.birthday(option))
            .max()
            .unwrap_or(0)
    }

    /// Left and Right wall of the thermograph at temperature t/4 ≥ 0, in quarters, by cooling step by step;
    /// right for games whose numbers are integers and whose walls bend only at quarters.
    fn walls(&self, g: Game, t: i64) -> (i64, i64) {
        if let Some(integer) = self.as_integer(g) {
            return (4 * integer, 4 * integer);
        }
        for t in 0..=t {
            let (left, right) = self.scaffold(g, t);
            if left <= right {
                return (left, left); // frozen
            }
        }
        self.scaffold(g, t)
    }

    fn scaffold(&self, g: Game, t: i64) -> (i64, i64) {
        let (left, right) = &self.games[g];
        let left = left.iter().map(|&x| self.walls(x, t).1 - t).max();
        let right = right.iter().map(|&y| self.walls(y, t).0 + t).min();
        (
            left.expect("not an integer"),
            right.expect("not an integer"),
        )
    }

    /// Mean and temperature in quarters; the temperature of an integer is −1.
    pub(crate) fn mean_and_temperature(&self, g: Game) -> (i64, i64) {
        if let Some(integer) = self.as_integer(g) {
            return (4 * integer, -4);
        }
        let frozen = |t: &i64| {
            let (left, right) = self.scaffold(g, *t);
            left <= right
        };
        let temperature = (0..1000).find(frozen).expect("every game freezes");
        (self.walls(g, temperature).0, temperature)
    }
}
