//! Certificates: whatever is accepted is true. Small claims are tested with canonical forms, of which the checker knows nothing.

use std::collections::HashMap;

use toads_fuzz::{Fuzz, assert_clear};
use toads_game::{Arena, GameError, Relation, Value, notation};
use toads_search::{Limits, Searcher, Sum, certify};
use toads_strip::{Player, Strip, Variant};

/// Numbers of the checker are below 2^60.
const NUMBERS_BELOW: u128 = 1 << 60;

/// Longer strips are not evaluated again.
const MOST_SQUARES: usize = 9;

const WORDS: &[&str] = &[
    " = ",
    " < ",
    " > ",
    " || ",
    " + ",
    " - ",
    " !",
    "#",
    " #",
    "\nnode ",
    "\n  ",
    "G - H >= 0",
    "H - G |> 0",
    " by ",
    "{0|0}",
    "T.F",
    "TT.F",
    "a1",
    "b2",
    "-1",
    "1/2",
    "1152921504606846975",
    "170141183460469231731687303715884105728",
    "-170141183460469231731687303715884105728",
];

fn certificate(variant: Variant, g: &str, h: &str) -> String {
    let arena = Arena::with_capacity_bytes(32 << 20);
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    let mut searcher = Searcher::new(&arena, variant, limits);
    let read = |text: &str| match Strip::parse(text) {
        Ok(strip) => Sum::from(strip),
        Err(_) => notation::parse(&arena, text).unwrap().into(),
    };
    let (g, h) = (read(g), read(h));
    let relation = searcher.compare(&g, &h).unwrap().relation().unwrap();
    searcher.certificate(&g, &h, relation, 1 << 20).unwrap()
}

/// The last line is FNV-1a over all bytes before it.
fn repair(input: &mut Vec<u8>) {
    let body = input.strip_suffix(b"\n").unwrap_or(input);
    let end = body
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    input.truncate(end);
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    input.extend_from_slice(format!("checksum {hash:016x}\n").as_bytes());
}

#[test]
fn certificates() {
    let claims = [
        (Variant::Hop, "T.F", "0"),
        (Variant::Hop, "TT.FF", "*"),
        (Variant::Hop, "T^2 .F", "1/2"),
        (Variant::Hop, "TT..FF", "{1/8|-1/8}"),
        (Variant::Hop, "T.FT..F", "^"),
        (Variant::Hop, "T^3 .^2 F^2", "3"),
        (Variant::Hopless, "T..F.T.F", "1/4"),
        (Variant::Hop, "1/2", "3/4"),
        (Variant::Hop, "-1", "1/2"),
        (Variant::Hop, "T.TF..F", "T..FF"),
    ];
    let seeds = claims.map(|(variant, g, h)| certificate(variant, g, h));
    let mut referee = Referee::new();
    let target = Fuzz::new("certificates")
        .seeds(seeds)
        .words(WORDS)
        .repair(repair)
        .longest(4_096);
    target.run(|input| {
        let Ok(text) = std::str::from_utf8(input) else {
            return false;
        };
        match certify(text) {
            Ok(proved) => {
                referee.test(&proved);
                true
            }
            Err(error) => {
                assert_clear(&error);
                false
            }
        }
    });
}

/// Evaluates claims by recursion and canonical forms.
struct Referee {
    arena: Arena,
    known: HashMap<(Variant, Strip), Value>,
}

impl Referee {
    fn new() -> Self {
        Self {
            arena: Arena::with_capacity_bytes(16 << 20),
            known: HashMap::new(),
        }
    }

    fn test(&mut self, proved: &toads_search::Proved) {
        if self.arena.len() as u64 > self.arena.capacity().values as u64 / 2 {
            *self = Self::new();
        }
        let variant: Variant = proved.variant.parse().unwrap();
        let sides = [&proved.left, &proved.right].map(|text| self.sum(variant, text));
        let [Some(g), Some(h)] = sides else { return };
        let found = match self.arena.compare(g, h) {
            Relation::Equal => "=",
            Relation::Less => "<",
            Relation::Greater => ">",
            Relation::Confused => "||",
        };
        assert_eq!(proved.relation, found, "{} {}", proved.left, proved.right);
    }

    /// The value of a sum; `None` where it is too large.
    fn sum(&mut self, variant: Variant, text: &str) -> Option<Value> {
        let mut sum = self.arena.integer(0).ok()?;
        let mut is_negated = false;
        for (at, word) in text.split(' ').enumerate() {
            if at % 2 == 1 {
                is_negated = word == "-";
                continue;
            }
            in_range(word);
            let value = match Strip::parse(word) {
                Ok(strip) if strip.len() > MOST_SQUARES => return None,
                Ok(strip) => self.value(variant, &strip).ok()?,
                Err(_) => notation::parse(&self.arena, word).ok()?,
            };
            let value = if is_negated {
                self.arena.neg(value).ok()?
            } else {
                value
            };
            sum = self.arena.add(sum, value).ok()?;
        }
        Some(sum)
    }

    fn value(&mut self, variant: Variant, strip: &Strip) -> Result<Value, GameError> {
        if let Some(&value) = self.known.get(&(variant, strip.clone())) {
            return Ok(value);
        }
        let mut options = [const { Vec::new() }; 2];
        for (side, player) in options.iter_mut().zip([Player::Left, Player::Right]) {
            for next in strip.moves(variant, player) {
                side.push(self.value(variant, &next)?);
            }
        }
        let value = self.arena.canonical(&options[0], &options[1])?;
        self.known.insert((variant, strip.clone()), value);
        Ok(value)
    }
}

/// No number of an accepted claim is beyond the range in which the checker adds without overflow.
fn in_range(word: &str) {
    for digits in word.split(|c: char| !c.is_ascii_digit()) {
        let number =
            digits
                .parse::<u128>()
                .unwrap_or(if digits.is_empty() { 0 } else { u128::MAX });
        assert!(
            number <= NUMBERS_BELOW,
            "{word} is beyond the range of the checker"
        );
    }
}
