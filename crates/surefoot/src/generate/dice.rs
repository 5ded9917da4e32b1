//! Random numbers that are the same on every machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A seeded source of small random numbers.
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound` (0 if that is 0). The bias is below `bound` / 2^32.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.number() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number from `least` up to and including `most`.
    pub fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    /// Returns true with a probability of `percent` percent.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

/// A number that looks random and is always the same for another one (the finaliser of splitmix64).
pub(crate) fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// A number that looks random and is always the same for three numbers and a seed: for worlds in which a cell must not depend on
/// those before it.
pub(crate) fn mixed_cell(numbers: [i32; 3], seed: u64) -> u64 {
    let key = numbers.iter().fold(seed, |key, &part| key.wrapping_mul(0x1_0000_01b3) ^ part as u64);
    mixed(key.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_never_changes() {
        let mut dice = Dice::new(1);
        let throws: Vec<u32> = (0..12).map(|_| dice.between(1, 6)).collect();
        assert_eq!(throws, [5, 5, 1, 5, 2, 4, 6, 4, 1, 1, 6, 3]);
        assert_eq!(dice.below(0), 0);
    }
}
