//! Changes of bytes: what a disk, a network, a slip or an enemy does to a valid input.

use toads_tests::Chance;

/// Bytes that are limits of something.
const BYTES: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, b'\n', b' ', b'9'];

/// Numbers that are limits of something, as they stand in fields of fixed width.
const NUMBERS: [u64; 12] = [
    0,
    1,
    0x7f,
    0xff,
    0xffff,
    0x0010_0000,
    0x7fff_ffff,
    0xffff_ffff,
    1 << 32,
    1 << 56,
    i64::MAX as u64,
    u64::MAX,
];

/// The same as people write them.
const TEXTS: [&str; 10] = [
    "0",
    "1",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "170141183460469231731687303715884105728",
    "99999999999999999999999999999999999999999999",
];

/// Changes inputs.
pub(crate) struct Mutator<'a> {
    pub(crate) chance: &'a mut Chance,
    /// Accepted inputs, the seeds first.
    pub(crate) pool: &'a [Vec<u8>],
    /// How many of them are seeds.
    pub(crate) seeds: usize,
    /// Words of the format.
    pub(crate) words: &'a [&'static str],
    /// No input is longer.
    pub(crate) longest: usize,
}

impl Mutator<'_> {
    /// An input: a seed or another one of the pool, with one, three, five or seven changes, the fewer the likelier.
    pub(crate) fn input(&mut self) -> Vec<u8> {
        let among = if self.chance.below(2) == 0 {
            self.seeds
        } else {
            self.pool.len()
        };
        let mut input = self.pool[self.index(among)].clone();
        let changes = 1 + (self.chance.bits() & 7).trailing_ones() * 2;
        for _ in 0..changes {
            self.change(&mut input);
        }
        input.truncate(self.longest);
        input
    }

    fn index(&mut self, below: usize) -> usize {
        self.chance.below(below as u64) as usize
    }

    /// A piece of an input of this length: not empty unless that is, mostly short.
    fn piece(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.index(length);
        let most = (length - start).min(if self.chance.below(4) == 0 {
            usize::MAX
        } else {
            16
        });
        start..start + (1 + self.index(most)).min(length - start)
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let length = input.len();
        let place = self.index(length + 1);
        let at = self.index(length);
        match self.chance.below(16) {
            0 | 1 if length > 0 => input[at] ^= 1 << self.chance.below(8),
            2 if length > 0 => input[at] = self.chance.bits() as u8,
            3 if length > 0 => input[at] = BYTES[self.index(BYTES.len())],
            4 if length > 0 => {
                let step = 1 + self.chance.below(16) as u8;
                let is_down = self.chance.below(2) == 0;
                input[at] =
                    input[at].wrapping_add(if is_down { step.wrapping_neg() } else { step });
            }
            5 => input.truncate(place),
            6 => drop(input.drain(self.piece(length))),
            7 => {
                let byte = self.chance.bits() as u8;
                input.insert(place, byte);
            }
            8 => self.repeat(input, place),
            9 => self.splice(input, place),
            10 => self.number(input, at),
            11 => self.varint(input, place),
            12 => self.digits(input),
            13 | 14 if !self.words.is_empty() => {
                let word = self.words[self.index(self.words.len())];
                input.splice(place..place, word.bytes());
            }
            15 => {
                // Two pieces of the input change places, or one overwrites the other.
                let (from, to) = (self.piece(length), place);
                let piece = input[from.clone()].to_vec();
                let end = (to + piece.len() * self.index(2)).min(length);
                input.splice(to..end, piece);
            }
            _ => {
                let byte = BYTES[self.index(BYTES.len())];
                input.insert(place, byte);
            }
        }
    }

    /// A piece of the input comes again, a few times, or as often as there is room.
    fn repeat(&mut self, input: &mut Vec<u8>, place: usize) {
        let piece = input[self.piece(input.len())].to_vec();
        let room = self.longest.saturating_sub(input.len()) / piece.len().max(1);
        let times = match self.chance.below(32) {
            0 => room,
            1..4 => 1 + self.index(300),
            _ => 1 + self.index(4),
        };
        input.splice(place..place, piece.repeat(times.min(room)));
    }

    /// The rest of another input, or a piece of it.
    fn splice(&mut self, input: &mut Vec<u8>, place: usize) {
        let other = &self.pool[self.index(self.pool.len())];
        if self.chance.below(2) == 0 {
            let from = self.index(other.len() + 1);
            input.truncate(place);
            input.extend_from_slice(&other[from..]);
        } else {
            let piece = other[self.piece(other.len())].to_vec();
            input.splice(place..place, piece);
        }
    }

    /// A field of 1, 2, 4 or 8 bytes becomes a limit, in either byte order.
    fn number(&mut self, input: &mut [u8], at: usize) {
        let width = 1 << self.index(4);
        let number = NUMBERS[self.index(NUMBERS.len())];
        let bytes = if self.chance.below(2) == 0 {
            number.to_le_bytes()[..width].to_vec()
        } else {
            number.to_be_bytes()[8 - width..].to_vec()
        };
        for (byte, new) in input.iter_mut().skip(at).zip(bytes) {
            *byte = new;
        }
    }

    /// An integer of seven bits a byte, large, put in or in the place of what stands there.
    fn varint(&mut self, input: &mut Vec<u8>, place: usize) {
        let mut number = NUMBERS[self.index(NUMBERS.len())];
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        let end = (place + self.index(2)).min(input.len());
        input.splice(place..end, bytes);
    }

    /// A number in digits becomes another one.
    fn digits(&mut self, input: &mut Vec<u8>) {
        let from = self.index(input.len());
        let Some(start) = (from..input.len()).find(|&at| input[at].is_ascii_digit()) else {
            return;
        };
        let digits = input[start..].iter().take_while(|c| c.is_ascii_digit());
        let end = start + digits.count();
        let text = if self.chance.below(2) == 0 {
            TEXTS[self.index(TEXTS.len())].to_owned()
        } else {
            self.chance.below(300).to_string()
        };
        input.splice(start..end, text.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(seed: u64, pool: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut chance = Chance::new(seed);
        let mut mutator = Mutator {
            chance: &mut chance,
            pool,
            seeds: 1,
            words: &["word"],
            longest: 64,
        };
        (0..5_000).map(|_| mutator.input()).collect()
    }

    #[test]
    fn the_same_seed_makes_the_same_inputs() {
        let pool = [b"T^12 .F".to_vec(), vec![0; 40], Vec::new()];
        assert_eq!(inputs(7, &pool), inputs(7, &pool));
        assert_ne!(inputs(7, &pool), inputs(8, &pool));
    }

    #[test]
    fn inputs_become_shorter_and_longer_but_not_too_long_and_stay_close_to_valid_ones() {
        let pool = [b"0123456789".to_vec(), b"abcdefghij".to_vec()];
        let all = inputs(1, &pool);
        let some = |is: fn(&[u8]) -> bool| all.iter().any(|input| is(input));
        assert!(all.iter().all(|input| input.len() <= 64));
        assert!(some(<[u8]>::is_empty) && some(|input| input.len() == 64));
        assert!(some(
            |input| input.starts_with(b"01234") && input.ends_with(b"fghij")
        ));
        assert!(some(|input| input.windows(4).any(|piece| piece == b"word")));
        assert!(some(|input| input
            .windows(9)
            .any(|piece| piece == [0xff; 9])));
    }
}
