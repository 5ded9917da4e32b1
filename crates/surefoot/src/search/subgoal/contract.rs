//! Contracting a graph (Geisberger, Sanders, Schultes and Delling, *Contraction Hierarchies: Faster and Simpler Hierarchical Routing in
//! Road Networks*, WEA 2008).
//!
//! Subgoals are removed from the graph one after the other, the least important first. Where a shortest path led through one of
//! them, a shortcut takes its place. The edges that a subgoal had when it was removed lead *up*, to subgoals that were removed
//! later.
//!
//! A round removes all subgoals that are less important than every neighbour (Vetter, *Parallel Time-Dependent Contraction
//! Hierarchies*, 2009), on any number of threads. Within a round they have an order: a path that makes a shortcut superfluous
//! must not lead through a subgoal that comes earlier. So the result is the same as that of a sequential contraction.

use crate::parallel::{self, Bulky};
use crate::search::prepare::{PrepareError, Ticker};
use crate::search::subgoal::graph::{Link, Links, Scale, Via};
use crate::search::subgoal::witness::{Ground, Pool, Quest, Witness};
use crate::space::Cell;

/// The most subgoals examined to find a path as cheap as a shortcut: when subgoals are compared, and when one is
/// taken out.
const LOOK: [usize; 2] = [300, 2000];

/// What weighing all subgoals, and taking them out, stand for in the progress of the whole preparation.
pub(super) const STAGES: [u64; 2] = [2000, 4000];

/// A subgoal with more edges than this stays: taking it out would take long, and searches would not be faster for it.
const MOST_EDGES: usize = 128;

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

struct Contraction<'a> {
    links: Links,
    cells: &'a [Cell],
    scale: &'a Scale,
    up: Links,
    /// By subgoal: how much it matters by its edges; `None` if it is gone or has to stay.
    shares: Vec<Option<u64>>,
    /// By subgoal: whether its edges have changed since its share was computed.
    stale: Vec<bool>,
    /// By subgoal: how many others were taken out below it, one above the other.
    depths: Vec<u64>,
    /// By subgoal: its turn in its round.
    turns: Vec<u32>,
    pool: Pool<Witness>,
    ticker: &'a Ticker<'a>,
}

/// Takes out all subgoals whose shortcuts can be held. `check` gets the minimum number of edges of the result, as soon as that
/// is known.
pub(super) fn contract(
    links: Links,
    cells: &[Cell],
    scale: &Scale,
    ticker: &Ticker<'_>,
    check: impl Fn(usize) -> Result<(), PrepareError>,
) -> Result<Contracted, PrepareError> {
    let count = links.len();
    let mut contraction = Contraction {
        cells,
        scale,
        up: vec![Vec::new(); count].into(),
        shares: vec![None; count],
        stale: vec![true; count],
        depths: vec![0; count],
        turns: vec![u32::MAX; count],
        pool: Pool::new(Witness::new, count),
        ticker,
        links,
    };
    let mut left: Vec<u32> = (0..count as u32).collect();
    // Taking subgoals out adds edges and drops none.
    check(contraction.links.iter().map(Vec::len).sum::<usize>() / 2)?;
    ticker.stage(STAGES[0], count as u64)?;
    contraction.weigh(&left)?;
    ticker.stage(STAGES[1], count as u64)?;
    // Edges of those taken out, which are final.
    let mut above = 0;
    loop {
        // Of the others each edge is kept by whichever end is taken out first.
        let between: usize = left.iter().map(|&at| contraction.links[at as usize].len()).sum();
        check(above + between / 2)?;
        ticker.work(left.len() as u64)?;
        let mut round: Vec<u32> = left.iter().copied().filter(|&at| contraction.is_least(at)).collect();
        if round.is_empty() {
            break;
        }
        let stale: Vec<u32> = round.iter().copied().filter(|&at| contraction.stale[at as usize]).collect();
        contraction.weigh(&stale)?;
        round.retain(|&at| contraction.is_least(at));
        contraction.take_out(&round)?;
        above += round.iter().map(|&at| contraction.up[at as usize].len()).sum::<usize>();
        left.retain(|&at| contraction.turns[at as usize] == u32::MAX);
    }
    let Contraction { links, mut up, turns, .. } = contraction;
    for subgoal in left {
        up[subgoal as usize].clone_from(&links[subgoal as usize]);
    }
    Ok(Contracted { up, core: turns.into_iter().map(|turn| turn == u32::MAX).collect() })
}

/// Spreads numbers, so that of neighbours that matter the same about every third has its turn at once.
fn spread(subgoal: u32) -> u32 {
    subgoal.wrapping_mul(0x9E37_79B1).rotate_left(15).wrapping_mul(0x85EB_CA77)
}

impl Contraction<'_> {
    /// How much a subgoal matters, if it can be taken out; no two are equal.
    fn rank(&self, subgoal: u32) -> Option<(u64, u32, u32)> {
        let share = self.shares[subgoal as usize]?;
        Some((share + 1000 * self.depths[subgoal as usize], spread(subgoal), subgoal))
    }

    /// Whether a subgoal can be taken out and matters less than all its neighbours.
    fn is_least(&self, subgoal: u32) -> bool {
        let mut neighbours = self.links[subgoal as usize].iter();
        self.rank(subgoal)
            .is_some_and(|own| neighbours.all(|link| self.rank(link.to).is_none_or(|other| own < other)))
    }

    /// Takes the subgoals of a round out of the graph.
    fn take_out(&mut self, round: &[u32]) -> Result<(), PrepareError> {
        for (turn, &subgoal) in round.iter().enumerate() {
            self.turns[subgoal as usize] = turn as u32;
        }
        let work = |witness: &mut Witness, place: usize| {
            let shortcuts = self.shortcuts(witness, round[place], LOOK[1])?;
            self.ticker.tick().map(|()| shortcuts)
        };
        let shortcuts =
            Bulky::from(parallel::map(round.len(), || self.pool.take(), |taken, place| work(taken, place)));
        for (&subgoal, shortcuts) in round.iter().zip(&*shortcuts) {
            self.ticker.work(self.links[subgoal as usize].len() as u64)?;
            let links = std::mem::take(&mut self.links[subgoal as usize]);
            for shortcut in shortcuts.as_ref().map_err(PrepareError::clone)? {
                self.add(subgoal, shortcut.ends.map(|end| links[end]));
            }
            for link in &links {
                let neighbour = link.to as usize;
                self.links[neighbour].retain(|back| back.to != subgoal);
                self.depths[neighbour] = self.depths[neighbour].max(self.depths[subgoal as usize] + 1);
                self.stale[neighbour] = true;
            }
            self.shares[subgoal as usize] = None;
            self.up[subgoal as usize] = links;
        }
        Ok(())
    }

    /// The shortcuts that are needed when a subgoal is taken out.
    fn shortcuts(
        &self,
        witness: &mut Witness,
        subgoal: u32,
        look: usize,
    ) -> Result<Vec<Shortcut>, PrepareError> {
        let list = &self.links[subgoal as usize];
        let ground = Ground { links: &self.links, cells: self.cells, scale: self.scale };
        let mut shortcuts = Vec::new();
        for (place, first) in list.iter().enumerate() {
            let rest = &list[place + 1..];
            if rest.is_empty() {
                break;
            }
            let through = |second: &Link| (second.to, u64::from(first.weight) + u64::from(second.weight));
            let quest = Quest { from: first.to, look, without: subgoal, turns: &self.turns, detours: false };
            witness.search(ground, &quest, rest.iter().map(through), self.ticker)?;
            for (offset, (to, most)) in rest.iter().map(through).enumerate() {
                if !witness.reaches(to, most, false) {
                    shortcuts.push(Shortcut { ends: [place, place + 1 + offset] });
                }
            }
        }
        Ok(shortcuts)
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

    /// Computes how much subgoals matter by their edges.
    fn weigh(&mut self, subgoals: &[u32]) -> Result<(), PrepareError> {
        let is_first = subgoals.len() == self.links.len();
        let share = |witness: &mut Witness, place: usize| {
            let share = self.share(witness, subgoals[place])?;
            // Later it is part of taking them out.
            if is_first { self.ticker.tick().map(|()| share) } else { Ok(share) }
        };
        let shares = parallel::map(subgoals.len(), || self.pool.take(), |taken, place| share(taken, place));
        for (&subgoal, share) in subgoals.iter().zip(shares) {
            self.shares[subgoal as usize] = share?;
            self.stale[subgoal as usize] = false;
        }
        Ok(())
    }

    /// How many edges taking a subgoal out would add, and how many edges of the first graph they stand for, both compared
    /// with what would go. `None` if it has to stay: it has too many edges, or a shortcut would weigh more than can be held.
    fn share(&self, witness: &mut Witness, subgoal: u32) -> Result<Option<u64>, PrepareError> {
        let list = &self.links[subgoal as usize];
        if list.len() > MOST_EDGES {
            return Ok(None);
        }
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
            return Ok(None);
        }
        let shortcuts = self.shortcuts(witness, subgoal, LOOK[0])?;
        let hops = |place: usize| u64::from(list[place].hops);
        let added = shortcuts
            .iter()
            .map(|shortcut| shortcut.ends.map(hops))
            .fold([0, 0], |[count, all], [a, b]| [count + 1, all + a + b]);
        let gone = [list.len() as u64, (0..list.len()).map(hops).sum()];
        let share = |number: usize| 1000 * added[number] / gone[number].max(1);
        Ok(Some(share(0) + share(1)))
    }
}
