//! Finds the paths near a change: for each block, the stretches of paths in it.

/// A stretch of a path that stays in one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The nodes of the block that it covers.
    pub nodes: u64,
    /// The owner of the path.
    pub owner: u32,
    /// The leg with which it enters the block.
    pub first: u32,
}

/// The stretches of all paths, by block.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    /// By block: one more than the number of its list, or 0 as long as no path has passed.
    list_of: Vec<u32>,
    /// Unsorted: where paths change all the time, scanning a list is faster than keeping it sorted.
    lists: Vec<Vec<Run>>,
}

impl Blocks {
    /// Forgets everything and makes room for `blocks` blocks.
    pub fn reset(&mut self, blocks: usize) {
        self.list_of.clear();
        self.list_of.resize(blocks, 0);
        self.lists.clear();
    }

    pub fn insert(&mut self, block: u32, run: Run) {
        let number = &mut self.list_of[block as usize];
        if *number == 0 {
            self.lists.push(Vec::new());
            *number = self.lists.len() as u32;
        }
        self.lists[*number as usize - 1].push(run);
    }

    pub fn remove(&mut self, block: u32, owner: u32, first: u32) {
        let number = self.list_of[block as usize] as usize;
        if let Some(list) = number.checked_sub(1).map(|number| &mut self.lists[number])
            && let Some(at) = list.iter().rposition(|run| (run.owner, run.first) == (owner, first))
        {
            list.swap_remove(at);
        }
    }

    /// Returns the stretches in a block.
    pub fn runs(&self, block: u32) -> &[Run] {
        let number = self.list_of[block as usize] as usize;
        number.checked_sub(1).map_or(&[], |number| &self.lists[number])
    }

    pub fn bytes(&self) -> usize {
        let runs: usize = self.lists.iter().map(Vec::capacity).sum();
        runs * size_of::<Run>()
            + self.lists.capacity() * size_of::<Vec<Run>>()
            + self.list_of.capacity() * size_of::<u32>()
    }
}
