//! A target and its loop.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::time::Instant;

use toads_tests::Chance;

use crate::cases;
use crate::mutate::Mutator;
use crate::settings::Settings;
use crate::watch::{Reading, watched};

/// The longest input, unless a target says otherwise.
const LONGEST: usize = 16 << 10;

/// Inputs in an ordinary test, unless a target says otherwise.
const QUICK: u64 = 10_000;

/// Accepted inputs that are changed further, beside the seeds.
const KEPT: usize = 256;

/// A target: what its inputs look like.
#[derive(Debug)]
#[must_use]
pub struct Fuzz {
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    words: &'static [&'static str],
    longest: usize,
    quick: u64,
    repair: Option<fn(&mut Vec<u8>)>,
}

impl Fuzz {
    /// A target without seeds yet.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            seeds: Vec::new(),
            words: &[],
            longest: LONGEST,
            quick: QUICK,
            repair: None,
        }
    }

    /// Valid inputs.
    pub fn seeds<S: Into<Vec<u8>>>(mut self, seeds: impl IntoIterator<Item = S>) -> Self {
        self.seeds.extend(seeds.into_iter().map(Into::into));
        self
    }

    /// Words of the format, which are put in here and there.
    pub fn words(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    /// The most bytes of an input, when it is not 16 KiB.
    pub fn longest(self, longest: usize) -> Self {
        Self { longest, ..self }
    }

    /// Inputs in an ordinary test, when it is not 10,000.
    pub fn quick(self, quick: u64) -> Self {
        Self { quick, ..self }
    }

    /// Makes checksums fit again. Done to seven of eight changed inputs, so that what is behind the checksum is reached.
    pub fn repair(self, repair: fn(&mut Vec<u8>)) -> Self {
        let repair = Some(repair);
        Self { repair, ..self }
    }

    /// Hands inputs to `read`, which panics when a law is broken, and returns whether the input was accepted. First those that
    /// once were findings and the seeds as they are, then changed ones.
    ///
    /// # Panics
    /// With the finding, if there is one, and if a seed is not accepted.
    pub fn run(self, read: impl FnMut(&[u8]) -> bool) {
        let settings = Settings::from_environment();
        if settings
            .target
            .as_ref()
            .is_none_or(|only| only == self.name)
        {
            self.run_with(&settings, read);
        }
    }

    fn run_with(self, settings: &Settings, mut read: impl FnMut(&[u8]) -> bool) {
        let mut reading = Reading {
            target: self.name,
            ..Reading::default()
        };
        let mut look = |reading: &Reading| {
            watched(reading, &mut read).unwrap_or_else(|finding| panic!("{finding}"))
        };
        if let Some(path) = &settings.input {
            reading.origin = path.display().to_string();
            reading.input = cases::read(path);
            let said = if look(&reading) {
                "accepted"
            } else {
                "refused"
            };
            println!("fuzz: {}: {} is {said}", self.name, reading.origin);
            return;
        }
        for (origin, input) in cases::of(self.name) {
            (reading.origin, reading.input) = (origin, input);
            look(&reading);
        }
        for (at, seed) in self.seeds.iter().enumerate() {
            reading.origin = format!("valid input {at}");
            reading.input.clone_from(seed);
            assert!(
                look(&reading),
                "{}: {} is refused",
                self.name,
                reading.origin
            );
        }
        self.changed(settings, &mut reading, &mut look);
    }

    fn changed(
        &self,
        settings: &Settings,
        reading: &mut Reading,
        look: &mut dyn FnMut(&Reading) -> bool,
    ) {
        let started = Instant::now();
        let trace = settings.trace.as_ref().map(|folder| {
            let path = folder.join(self.name.replace(' ', "-"));
            File::create(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        });
        let iterations = settings.iterations.unwrap_or(self.quick);
        let mut chance = Chance::new(settings.seed);
        let mut pool = self.seeds.clone();
        let mut accepted = 0u64;
        for number in 0..iterations {
            let mut mutator = Mutator {
                chance: &mut chance,
                pool: &pool,
                seeds: self.seeds.len(),
                words: self.words,
                longest: self.longest,
            };
            reading.input = mutator.input();
            if let Some(repair) = self.repair
                && chance.below(8) > 0
            {
                repair(&mut reading.input);
            }
            reading.origin = format!("input {number} of seed {}", settings.seed);
            if let Some(file) = &trace {
                let written = file
                    .set_len(0)
                    .and_then(|()| file.write_all_at(&reading.input, 0));
                written.expect("the trace can be written");
            }
            if look(reading) {
                accepted += 1;
                keep(&mut pool, self.seeds.len(), &mut chance, &reading.input);
            }
        }
        println!(
            "fuzz: {:24} {iterations:>9} inputs {accepted:>9} accepted {:>7.1} s",
            self.name,
            started.elapsed().as_secs_f64()
        );
    }
}

/// Takes an accepted input among those that are changed further, in the place of another one when there are many.
fn keep(pool: &mut Vec<Vec<u8>>, seeds: usize, chance: &mut Chance, input: &[u8]) {
    if pool.len() < seeds + KEPT {
        pool.push(input.to_vec());
    } else if chance.below(8) == 0 {
        let at = seeds + chance.below(KEPT as u64) as usize;
        pool[at].clear();
        pool[at].extend_from_slice(input);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// A reader with a defect behind a checksum.
    fn read(input: &[u8]) -> bool {
        let Some((&sum, content)) = input.split_last() else {
            return false;
        };
        if sum != checksum(content) || content.len() < 2 {
            return false;
        }
        assert!(content[0] < 0x80, "the length is beyond the end");
        true
    }

    fn checksum(content: &[u8]) -> u8 {
        content
            .iter()
            .fold(7, |sum, byte| sum.wrapping_mul(31) ^ byte)
    }

    fn repair(input: &mut Vec<u8>) {
        input.pop();
        input.push(checksum(input));
    }

    #[test]
    fn a_defect_behind_a_checksum_is_found_with_its_input() {
        let mut seed = vec![1, 2, 3, 0];
        repair(&mut seed);
        let target = Fuzz::new("self").seeds([seed]).repair(repair);
        let found = catch_unwind(AssertUnwindSafe(|| {
            target.run_with(&Settings::default(), read);
        }))
        .unwrap_err();
        let text = found.downcast_ref::<String>().unwrap();
        assert!(
            text.contains("beyond the end") && text.contains("of seed "),
            "{text}"
        );
        let digits = text.split("input ").last().unwrap().lines().next().unwrap();
        let input = cases::from_hex(digits).unwrap();
        assert!(input[0] >= 0x80 && *input.last().unwrap() == checksum(&input[..input.len() - 1]));
    }

    #[test]
    fn a_seed_that_is_refused_is_a_defect_of_the_target() {
        let target = Fuzz::new("self").seeds([[1, 2, 3]]);
        assert!(
            catch_unwind(AssertUnwindSafe(
                || target.run_with(&Settings::default(), read)
            ))
            .is_err()
        );
    }
}
