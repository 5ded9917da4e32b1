//! The queue of nodes that are not what they should be: a heap in which every node knows its place.

use crate::id::NodeId;

/// When a node is to be looked at. The order is total: keys, then numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The least that a way through the node costs.
    pub through: u64,
    /// The least that a way to the node costs.
    pub to: u64,
}

impl Key {
    /// After all others.
    pub const LAST: Key = Key { through: u64::MAX, to: u64::MAX };
}

/// A node with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub key: Key,
    pub node: NodeId,
}

/// Where nodes write down their places: a number for each, 0 for those not in the queue.
pub(super) trait Places {
    fn place(&mut self, node: NodeId) -> &mut u32;
}

/// Children of an entry in the heap.
const ARITY: usize = 4;

/// A heap of entries. Places are one more than the index.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    entries: Vec<Entry>,
}

impl Queue {
    /// Takes everything out.
    pub fn clear(&mut self, places: &mut impl Places) {
        for entry in self.entries.drain(..) {
            *places.place(entry.node) = 0;
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// The first entry.
    #[inline]
    pub fn first(&self) -> Option<Entry> {
        self.entries.first().copied()
    }

    /// The entry at a place.
    pub fn at(&self, place: u32) -> Option<Entry> {
        self.entries.get((place as usize).checked_sub(1)?).copied()
    }

    /// Gives the node at a place another key. Nothing else may be asked before the queue is sorted.
    pub fn set_key(&mut self, place: u32, key: Key) {
        self.entries[place as usize - 1].key = key;
    }

    /// Puts everything in order.
    pub fn sort(&mut self, places: &mut impl Places) {
        self.entries.sort_unstable();
        for (place, entry) in (1..).zip(&self.entries) {
            *places.place(entry.node) = place;
        }
    }

    /// Puts a node in, or moves it to where its key belongs.
    #[inline]
    pub fn put(&mut self, entry: Entry, places: &mut impl Places) {
        let place = *places.place(entry.node) as usize;
        if place == 0 {
            self.entries.push(entry);
            self.rise(self.entries.len() - 1, entry, places);
        } else {
            self.replace(place - 1, entry, places);
        }
    }

    /// Takes a node out, if it is in.
    #[inline]
    pub fn remove(&mut self, node: NodeId, places: &mut impl Places) {
        let place = std::mem::take(places.place(node)) as usize;
        if place == 0 {
            return;
        }
        if let Some(last) = self.entries.pop()
            && last.node != node
        {
            self.replace(place - 1, last, places);
        }
    }

    /// Writes an entry where another was, and lets it rise or sink.
    fn replace(&mut self, at: usize, entry: Entry, places: &mut impl Places) {
        if at > 0 && entry < self.entries[(at - 1) / ARITY] {
            self.rise(at, entry, places);
        } else {
            self.sink(at, entry, places);
        }
    }

    fn rise(&mut self, mut at: usize, entry: Entry, places: &mut impl Places) {
        while at > 0 {
            let above = (at - 1) / ARITY;
            if self.entries[above] < entry {
                break;
            }
            self.write(at, self.entries[above], places);
            at = above;
        }
        self.write(at, entry, places);
    }

    fn sink(&mut self, mut at: usize, entry: Entry, places: &mut impl Places) {
        loop {
            let first = ARITY * at + 1;
            let below = first..(first + ARITY).min(self.entries.len());
            let Some(least) = below.min_by_key(|&child| self.entries[child]) else { break };
            if entry < self.entries[least] {
                break;
            }
            self.write(at, self.entries[least], places);
            at = least;
        }
        self.write(at, entry, places);
    }

    #[inline]
    fn write(&mut self, at: usize, entry: Entry, places: &mut impl Places) {
        self.entries[at] = entry;
        *places.place(entry.node) = at as u32 + 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    impl Places for Vec<u32> {
        fn place(&mut self, node: NodeId) -> &mut u32 {
            &mut self[node.index()]
        }
    }

    proptest! {
        #[test]
        fn it_is_a_sorted_set(
            steps in prop::collection::vec((0..40_u32, prop::option::weighted(0.7, 0..30_u64)), 1..400)
        ) {
            let (mut queue, mut places) = (Queue::default(), vec![0; 40]);
            let mut expected: BTreeSet<Entry> = BTreeSet::new();
            for (number, (node, key)) in steps.into_iter().enumerate() {
                let node = NodeId(node);
                expected.retain(|entry| entry.node != node);
                match key {
                    Some(key) => {
                        let entry = Entry { key: Key { through: key / 3, to: key % 3 }, node };
                        expected.insert(entry);
                        queue.put(entry, &mut places);
                    }
                    None => queue.remove(node, &mut places),
                }
                if number % 50 == 49 {
                    let key = |node: NodeId| Key { through: u64::from(node.0 * 7 % 11), to: 0 };
                    for place in 1..=queue.len() as u32 {
                        queue.set_key(place, key(queue.at(place).unwrap().node));
                    }
                    queue.sort(&mut places);
                    expected = expected.iter().map(|entry| Entry { key: key(entry.node), ..*entry }).collect();
                }
                prop_assert_eq!(queue.first(), expected.first().copied());
                prop_assert_eq!(queue.len(), expected.len());
                for (index, place) in places.iter().enumerate() {
                    let held = expected.iter().find(|entry| entry.node.index() == index);
                    prop_assert_eq!(queue.at(*place), held.copied());
                }
            }
            let mut emptied = (queue.clone(), places.clone());
            emptied.0.clear(&mut emptied.1);
            prop_assert!(emptied.0.first().is_none() && emptied.1.iter().all(|place| *place == 0));
            while let Some(first) = queue.first() {
                prop_assert_eq!(Some(first), expected.pop_first());
                queue.remove(first.node, &mut places);
            }
            prop_assert!(expected.is_empty() && places.iter().all(|place| *place == 0));
        }
    }
}
