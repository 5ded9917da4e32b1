//! Finds configurations that are known already.

/// No entry.
const EMPTY: u32 = u32::MAX;

/// A hash table of configurations that are stored elsewhere, one after the other. What it finds does not depend on the order of its entries.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Numbers of configurations, with the upper half of their hash values.
    slots: Vec<(u32, u32)>,
    used: usize,
}

impl Table {
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u32, u32)>()
    }

    /// Returns the number of a configuration among `all`.
    pub fn find(&self, all: &[u32], agents: usize, config: &[u32]) -> Option<u32> {
        let hash = hash(config);
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let (found, tag) = self.slots[at];
            if found == EMPTY {
                return None;
            }
            if tag == (hash >> 32) as u32 && all[found as usize * agents..][..agents] == *config {
                return Some(found);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds the number of a configuration among `all` that is not in the table.
    pub fn insert(&mut self, all: &[u32], agents: usize, number: u32) {
        if (self.used + 1) * 2 > self.slots.len() {
            let size = (self.slots.len() * 2).max(1024);
            let old = std::mem::replace(&mut self.slots, vec![(EMPTY, 0); size]);
            for (number, _) in old.into_iter().filter(|&(number, _)| number != EMPTY) {
                self.put(hash(&all[number as usize * agents..][..agents]), number);
            }
        }
        self.put(hash(&all[number as usize * agents..][..agents]), number);
        self.used += 1;
    }

    fn put(&mut self, hash: u64, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].0 != EMPTY {
            at = (at + 1) & mask;
        }
        self.slots[at] = (number, (hash >> 32) as u32);
    }
}

fn hash(config: &[u32]) -> u64 {
    let mixed = config.iter().fold(config.len() as u64, |hash, &cell| {
        (hash ^ u64::from(cell)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
