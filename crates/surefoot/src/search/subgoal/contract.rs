//! Contracting a graph (Geisberger, Sanders, Schultes and Delling, *Contraction Hierarchies: Faster and Simpler Hierarchical Routing in
//! Road Networks*, WEA 2008).
//!
//! Subgoals are taken out of the graph one after the other, the ones that matter least first. Where a shortest way led through
//! one of them, a shortcut takes its place. What each subgoal had as edges when it was taken out leads *up*, to subgoals
//! that were taken out later.
//!
//! A round takes out all subgoals that matter less than every neighbour (Vetter, *Parallel Time-Dependent Contraction
//! Hierarchies*, 2009), on any number of threads. Within a round they have turns: a way that makes a shortcut superfluous
//! must not lead through a subgoal whose turn is before. So the result is one that taking turns would give, too.

use crate::parallel;
use crate::search::prepare::{PrepareError, Ticker};
use crate::search::subgoal::graph::{Link, Links, Via};
use crate::search::subgoal::witness::{Pool, Skip, Witness};

/// The most subgoals looked at in order to find a way as cheap as a shortcut: when subgoals are compared, and when one is
/// taken out.
const LOOK: [usize; 2] = [100, 1000];

/// What the subgoals were contracted to.
pub(super) struct Contracted {
    /// By subgoal: its edges when it was taken out.
    pub up: Links,
    /// By subgoal: whether it never was, so that its edges lead to others that never were.
    pub core: Vec<bool>,
}

/// A shortcut past a subgoal, between two of its neighbours by their places in its list.
#[derive(Clone, Copy)]
struct Shortcut {
    ends: [usize; 2],
}

struct Contraction {
    links: Links,
    up: Links,
    /// By subgoal: how much it matters; `None` if it is gone or has to stay.
    priorities: Vec<Option<u64>>,
    /// By subgoal: how many rounds of others lie below it.
    depths: Vec<u64>,
    /// By subgoal: its turn in this round.
    turns: Vec<u32>,
    pool: Pool,
}

/// Takes out all subgoals whose shortcuts can be held.
pub(super) fn contract(links: Links, ticker: &Ticker<'_>) -> Result<Contracted, PrepareError> {
    let count = links.len();
    let mut contraction = Contraction {
        up: vec![Vec::new(); count],
        priorities: vec![None; count],
        depths: vec![0; count],
        turns: vec![u32::MAX; count],
        pool: Pool::new(count),
        links,
    };
    let mut left: Vec<u32> = (0..count as u32).collect();
    contraction.prioritise(&left);
    let mut core = vec![false; count];
    while !left.is_empty() {
        let round = contraction.round(&left);
        if round.is_empty() {
            left.iter().for_each(|&subgoal| core[subgoal as usize] = true);
            break;
        }
        contraction.take_out(&round, ticker)?;
        left.retain(|&subgoal| contraction.turns[subgoal as usize] == u32::MAX);
    }
    let Contraction { links, mut up, .. } = contraction;
    for subgoal in left {
        up[subgoal as usize].clone_from(&links[subgoal as usize]);
    }
    Ok(Contracted { up, core })
}

/// Spreads numbers, so that of neighbours that matter the same about every third has its turn at once.
fn spread(subgoal: u32) -> u32 {
    subgoal.wrapping_mul(0x9E37_79B1).rotate_left(15).wrapping_mul(0x85EB_CA77)
}

impl Contraction {
    /// The subgoals that matter less than all their neighbours.
    fn round(&self, left: &[u32]) -> Vec<u32> {
        let rank = |subgoal: u32| {
            self.priorities[subgoal as usize].map(|priority| (priority, spread(subgoal), subgoal))
        };
        let is_least = |subgoal: u32, own| {
            self.links[subgoal as usize].iter().all(|link| rank(link.to).is_none_or(|other| own < other))
        };
        let round = left.iter().copied();
        round.filter(|&subgoal| rank(subgoal).is_some_and(|own| is_least(subgoal, own))).collect()
    }

    /// Takes the subgoals of a round out of the graph.
    fn take_out(&mut self, round: &[u32], ticker: &Ticker<'_>) -> Result<(), PrepareError> {
        for (turn, &subgoal) in round.iter().enumerate() {
            self.turns[subgoal as usize] = turn as u32;
        }
        let work = |witness: &mut Witness, place: usize| {
            ticker.tick().map(|()| self.shortcuts(witness, round[place], LOOK[1]))
        };
        let shortcuts = parallel::map(round.len(), || self.pool.take(), |taken, place| work(taken, place));
        let mut touched = Vec::new();
        for (&subgoal, shortcuts) in round.iter().zip(shortcuts) {
            let links = std::mem::take(&mut self.links[subgoal as usize]);
            for shortcut in shortcuts? {
                self.add(subgoal, shortcut.ends.map(|end| links[end]));
            }
            for link in &links {
                let neighbour = link.to as usize;
                self.links[neighbour].retain(|back| back.to != subgoal);
                self.depths[neighbour] = self.depths[neighbour].max(self.depths[subgoal as usize] + 1);
                touched.push(link.to);
            }
            self.priorities[subgoal as usize] = None;
            self.up[subgoal as usize] = links;
        }
        // No longer turns, but no longer in the way either: nothing leads to these subgoals.
        touched.sort_unstable();
        touched.dedup();
        self.prioritise(&touched);
        Ok(())
    }

    /// The shortcuts that are needed when a subgoal is taken out.
    fn shortcuts(&self, witness: &mut Witness, subgoal: u32, look: usize) -> Vec<Shortcut> {
        let list = &self.links[subgoal as usize];
        let skip = Skip { subgoal, turns: &self.turns };
        let mut shortcuts = Vec::new();
        for (place, first) in list.iter().enumerate() {
            let rest = &list[place + 1..];
            let Some(dearest) = rest.iter().map(|second| second.weight).max() else { break };
            let through = |second: u32| u64::from(first.weight) + u64::from(second);
            witness.search(&self.links, first.to, through(dearest), look, skip);
            for (offset, second) in rest.iter().enumerate() {
                if !witness.reaches(second.to, through(second.weight)) {
                    shortcuts.push(Shortcut { ends: [place, place + 1 + offset] });
                }
            }
        }
        shortcuts
    }

    /// Adds a shortcut past a subgoal along two of its edges.
    fn add(&mut self, middle: u32, [first, second]: [Link; 2]) {
        let weight = first.weight + second.weight;
        let hops = first.hops.saturating_add(second.hops);
        for (from, to) in [(first.to, second.to), (second.to, first.to)] {
            let list = &mut self.links[from as usize];
            let link = Link { to, weight, via: Via::Middle(middle), hops };
            match list.iter_mut().find(|known| known.to == to) {
                Some(known) if known.weight <= weight => {}
                Some(known) => *known = link,
                None => list.push(link),
            }
        }
    }

    /// Works out anew how much subgoals matter.
    fn prioritise(&mut self, subgoals: &[u32]) {
        let priority = |witness: &mut Witness, place: usize| self.priority(witness, subgoals[place]);
        let priorities =
            parallel::map(subgoals.len(), || self.pool.take(), |taken, place| priority(taken, place));
        for (&subgoal, priority) in subgoals.iter().zip(priorities) {
            self.priorities[subgoal as usize] = priority;
        }
    }

    /// How much a subgoal matters: how many edges taking it out would add, and how many edges of the first graph they stand
    /// for, both compared with what would go; and its depth. `None` if a shortcut would weigh more than can be held.
    fn priority(&self, witness: &mut Witness, subgoal: u32) -> Option<u64> {
        let list = &self.links[subgoal as usize];
        let mut heaviest = [0_u64; 2];
        for link in list {
            let weight = u64::from(link.weight);
            heaviest = if weight > heaviest[0] {
                [weight, heaviest[0]]
            } else {
                [heaviest[0], heaviest[1].max(weight)]
            };
        }
        if heaviest[0] + heaviest[1] > u64::from(u32::MAX) {
            return None;
        }
        let shortcuts = self.shortcuts(witness, subgoal, LOOK[0]);
        let hops = |place: usize| u64::from(list[place].hops);
        let added = shortcuts
            .iter()
            .map(|shortcut| shortcut.ends.map(hops))
            .fold([0, 0], |[count, all], [a, b]| [count + 1, all + a + b]);
        let gone = [list.len() as u64, (0..list.len()).map(hops).sum()];
        let share = |number: usize| 1000 * added[number] / gone[number].max(1);
        Some(1000 * self.depths[subgoal as usize] + share(0) + share(1))
    }
}
