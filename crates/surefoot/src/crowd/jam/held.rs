//! The cells of jams, which other units do not enter.

use crate::id::NodeId;

/// A set of cells.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Held {
    words: Vec<u64>,
    count: usize,
}

impl Held {
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        self.words.get(node.index() / 64).is_some_and(|word| word >> (node.index() % 64) & 1 == 1)
    }

    pub fn insert(&mut self, node: NodeId) {
        let word = node.index() / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let bit = 1 << (node.index() % 64);
        self.count += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    pub fn release(&mut self, nodes: &[NodeId]) {
        for node in nodes {
            if let Some(word) = self.words.get_mut(node.index() / 64) {
                let bit = 1 << (node.index() % 64);
                self.count -= usize::from(*word & bit != 0);
                *word &= !bit;
            }
        }
    }
}
