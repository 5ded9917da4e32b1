//! When agents use which cells, for planning one of them around the others.

use crate::cooperate::floor::Floor;

/// The end of a stay that never ends.
pub(super) const FOREVER: u32 = u32::MAX;

/// An agent on a cell, or a diagonal step past it, from one time up to and including another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stay {
    pub from: u32,
    pub until: u32,
    pub agent: u16,
    /// Whether the agent only passes the cell diagonally: then others may do so, too, but no agent may stand there.
    pub passes: bool,
}

/// A time during which a cell is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub from: u32,
    pub until: u32,
    /// The position in the cell's list of the stay that ends the gap.
    pub next: u32,
}

/// All stays, by cell and in the order of time. Those of agents never overlap; so the ends are in order as well, because what only passes takes two times each.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    cells: Vec<Vec<Stay>>,
}

impl Traffic {
    pub fn new(cells: usize) -> Traffic {
        Traffic { cells: vec![Vec::new(); cells] }
    }

    /// Returns the stays on a cell in the order of time.
    pub fn stays(&self, cell: u32) -> &[Stay] {
        &self.cells[cell as usize]
    }

    /// Adds the path of an agent, which stays at its end.
    pub fn add(&mut self, floor: &Floor, agent: u16, path: &[u32]) {
        visit(floor, agent, path, |cell, stay| {
            let stays = &mut self.cells[cell as usize];
            let at = stays.partition_point(|other| other.from < stay.from);
            stays.insert(at, stay);
        });
    }

    /// Removes the path of an agent.
    pub fn remove(&mut self, floor: &Floor, agent: u16, path: &[u32]) {
        visit(floor, agent, path, |cell, stay| {
            let stays = &mut self.cells[cell as usize];
            let mut at = stays.partition_point(|other| other.from < stay.from);
            // Several may pass a cell at once.
            while stays.get(at).is_some_and(|other| *other != stay) {
                at += 1;
            }
            if at < stays.len() {
                stays.remove(at);
            }
        });
    }

    /// Returns the agent on a cell at a time.
    pub fn agent_at(&self, cell: u32, time: u32) -> Option<u16> {
        let stays = self.stays(cell);
        let at = stays.partition_point(|stay| stay.until < time);
        let stay = stays.get(at).filter(|stay| stay.from <= time && !stay.passes)?;
        Some(stay.agent)
    }

    /// Returns the first gap of a cell that ends at a time or later.
    pub fn gap(&self, cell: u32, time: u32) -> Option<Gap> {
        let stays = self.stays(cell);
        let next = stays.partition_point(|stay| stay.from <= time);
        // The stay before the gap may last beyond the time.
        self.gap_after(cell, next as u32)
    }

    /// Returns the first gap of a cell that is not before the stay at a position of its list.
    pub fn gap_after(&self, cell: u32, next: u32) -> Option<Gap> {
        let stays = self.stays(cell);
        let mut next = next as usize;
        loop {
            let from = match next.checked_sub(1).map(|before| stays[before].until) {
                None => 0,
                Some(FOREVER) => return None,
                Some(until) => until + 1,
            };
            let until = match stays.get(next) {
                None => FOREVER,
                // Nothing is free between two stays that follow each other, or between two agents that pass.
                Some(stay) if stay.from <= from => {
                    next += 1;
                    continue;
                }
                Some(stay) => stay.from - 1,
            };
            return Some(Gap { from, until, next: next as u32 });
        }
    }

    /// Returns the first time, not before the one given, at which an agent that stepped past these cells arrives without meeting anybody on them.
    pub fn clear_pass(&self, corners: [u32; 2], mut time: u32) -> Option<u32> {
        loop {
            let before = time;
            for cell in corners {
                let stays = self.stays(cell);
                // An agent may not be there when the step begins nor when it ends.
                let at = stays.partition_point(|stay| stay.until < time - 1);
                let met = stays[at..].iter().take_while(|stay| stay.from <= time).find(|stay| !stay.passes);
                match met {
                    Some(stay) if stay.until == FOREVER => return None,
                    Some(stay) => time = stay.until + 2,
                    None => {}
                }
            }
            if time == before {
                return Some(time);
            }
        }
    }
}

/// Visits the stays of a path.
fn visit(floor: &Floor, agent: u16, path: &[u32], mut visit: impl FnMut(u32, Stay)) {
    let mut from = 0;
    for (time, &cell) in (0..).zip(path) {
        let next = path.get(time as usize + 1);
        if next == Some(&cell) {
            continue;
        }
        let until = if next.is_some() { time } else { FOREVER };
        visit(cell, Stay { from, until, agent, passes: false });
        from = time + 1;
        if let Some(corners) = next.and_then(|&next| floor.corners_between(cell, next)) {
            for corner in corners {
                visit(corner, Stay { from: time, until: time + 1, agent, passes: true });
            }
        }
    }
}
