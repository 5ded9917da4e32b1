//! Hub labels (Abraham, Delling, Goldberg and Werneck, *Hierarchical Hub Labelings for Shortest Paths*, ESA 2012).
//!
//! The *hubs* of a subgoal are the subgoals above it that a search up from it would have to reach, each with its distance. Any
//! two subgoals have a hub in common that lies on a shortest path between them, so comparing two lists replaces a search.
//!
//! # Why nothing is missing
//! Of all subgoals on all shortest paths between two, let `m` be the one with the smallest number. Both have a shortest
//! path to `m` that only leads up: otherwise one of them had a shortest path over a subgoal above `m`. A hub is left out only if a
//! shortest path to it leads over another with a smaller number; so `m` is in both lists.

use crate::parallel::{self, Bulky};
use crate::search::prepare::{PrepareError, Ticker};
use crate::search::subgoal::hierarchy::Hierarchy;
use crate::search::subgoal::witness::Pool;

/// A subgoal further up, or the one that has the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hub {
    pub subgoal: u32,
    pub distance: u32,
}

/// The hubs of every subgoal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hubs {
    /// By subgoal: the place of its first hub. One more, which ends the last list.
    firsts: Vec<u32>,
    /// List after list, each in the order of distances.
    lists: Vec<Hub>,
    /// By hub: which of the subgoal's edges begins the path there. Stored apart from the hubs because only tracing paths needs it.
    edges: Vec<u8>,
}

/// What a hub takes.
const BYTES_EACH: usize = size_of::<Hub>() + size_of::<u8>();

/// A subgoal with more edges has no hubs: they would not be numbered by a byte.
const MOST_EDGES: usize = 256;

/// How many subgoals are looked at to guess whether it is worth while to begin.
const SAMPLES: usize = 64;

/// If this many subgoals are above others, counted for each, their hubs are not looked for: it would take long, and be given up
/// in the end. Only some of what is above a subgoal are its hubs, so this is several times what there is room for.
const HOPELESS: usize = 32 << 20;

impl Hubs {
    /// Finds the hubs of all subgoals, on any number of threads. `None` if they would take more than `most_bytes`, if a distance
    /// does not fit, or if there is a core: what leads up there may lead back.
    pub fn build(
        hierarchy: &Hierarchy,
        most_bytes: usize,
        ticker: &Ticker<'_>,
    ) -> Result<Option<Hubs>, PrepareError> {
        let count = hierarchy.len();
        let few_edges = |subgoal| hierarchy.edges(subgoal).len() <= MOST_EDGES;
        let Some(for_hubs) = most_bytes.checked_sub(size_of::<u32>() * (count + 1)) else { return Ok(None) };
        let most_hubs = (for_hubs / BYTES_EACH).min(u32::MAX as usize);
        if hierarchy.has_core() || !(0..count as u32).all(few_edges) {
            return Ok(None);
        }
        if mean_above(hierarchy, ticker)? > HOPELESS / count.max(1) {
            return Ok(None);
        }
        // In the order of numbers, so that a subgoal is the last of its own hubs.
        let mut lists = Bulky::from(vec![Vec::new(); count]);
        let mut total = 0;
        let pool = Pool::new(Draft::new, count);
        for level in levels(hierarchy, ticker)? {
            let work = |draft: &mut Draft, subgoal: u32| {
                let looks = hierarchy.edges(subgoal).iter().map(|edge| lists[edge.to as usize].len());
                ticker.work(looks.sum::<usize>() as u64)?;
                ticker.tick()?;
                Ok(draft.hubs_of(hierarchy, &lists, subgoal))
            };
            let mut found = Bulky::from(parallel::map(
                level.len(),
                || pool.take(),
                |draft, place| work(draft, level[place]),
            ));
            for (&subgoal, list) in level.iter().zip(&mut *found) {
                let list = list.as_mut().map_err(|error: &mut PrepareError| error.clone())?.take();
                let Some(list) = list else { return Ok(None) };
                total += list.len();
                lists[subgoal as usize] = list;
            }
            if total > most_hubs {
                return Ok(None);
            }
        }
        let mut firsts = Vec::with_capacity(count + 1);
        let (mut hubs, mut edges) = (Vec::with_capacity(total), Vec::with_capacity(total));
        for list in &mut *lists {
            ticker.work(list.len() as u64)?;
            let mut list = std::mem::take(list);
            list.sort_unstable_by_key(|(hub, _)| (hub.distance, hub.subgoal));
            firsts.push(hubs.len() as u32);
            hubs.extend(list.iter().map(|&(hub, _)| hub));
            edges.extend(list.iter().map(|&(_, edge)| edge));
        }
        firsts.push(hubs.len() as u32);
        Ok(Some(Hubs { firsts, lists: hubs, edges }))
    }

    #[inline]
    fn range(&self, subgoal: u32) -> std::ops::Range<usize> {
        self.firsts[subgoal as usize] as usize..self.firsts[subgoal as usize + 1] as usize
    }

    /// Returns the hubs of a subgoal, the nearest first: the subgoal itself.
    #[inline]
    pub fn of(&self, subgoal: u32) -> &[Hub] {
        &self.lists[self.range(subgoal)]
    }

    /// Writes the path up to a hub: its subgoals, each with the place of the edge that leads on.
    pub fn way_up(&self, hierarchy: &Hierarchy, from: u32, hub: u32, way: &mut Vec<(u32, usize)>) {
        let mut at = from;
        while at != hub
            && let Some(number) = self.of(at).iter().position(|known| known.subgoal == hub)
        {
            let place = hierarchy.place(at, self.edges[self.range(at).start + number].into());
            way.push((at, place));
            at = hierarchy.leads_to(place);
        }
    }

    pub fn bytes(&self) -> usize {
        self.firsts.len() * size_of::<u32>() + self.lists.len() * BYTES_EACH
    }
}

/// About how many subgoals are above one, itself included: the mean of some that are spread evenly.
fn mean_above(hierarchy: &Hierarchy, ticker: &Ticker<'_>) -> Result<usize, PrepareError> {
    let count = hierarchy.len();
    let samples = count.min(SAMPLES);
    let mut seen_by = vec![usize::MAX; count];
    let (mut total, mut stack) = (0, Vec::new());
    for sample in 0..samples {
        stack.push((sample * count / samples) as u32);
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut seen_by[at as usize], sample) != sample {
                total += 1;
                ticker.work(hierarchy.edges(at).len() as u64)?;
                stack.extend(hierarchy.edges(at).iter().map(|edge| edge.to));
            }
        }
    }
    Ok(total / samples.max(1))
}

/// The subgoals in groups, each of which only leads up to those before.
fn levels(hierarchy: &Hierarchy, ticker: &Ticker<'_>) -> Result<Vec<Vec<u32>>, PrepareError> {
    let mut level_of = vec![0_usize; hierarchy.len()];
    let mut levels: Vec<Vec<u32>> = Vec::new();
    for subgoal in 0..hierarchy.len() as u32 {
        ticker.work(1 + hierarchy.edges(subgoal).len() as u64)?;
        let above = hierarchy.edges(subgoal).iter().map(|edge| level_of[edge.to as usize] + 1);
        let level = above.max().unwrap_or(0);
        level_of[subgoal as usize] = level;
        levels.resize_with(levels.len().max(level + 1), Vec::new);
        levels[level].push(subgoal);
    }
    Ok(levels)
}

/// The memory for computing one list.
#[derive(Default)]
struct Draft {
    /// By subgoal: how far it is, and along which edge; [`u32::MAX`] if that is not known.
    ways: Vec<(u32, u8)>,
    found: Vec<u32>,
}

impl Draft {
    fn new(count: usize) -> Draft {
        Draft { ways: vec![(u32::MAX, 0); count], found: Vec::new() }
    }

    /// The hubs of a subgoal, given the lists of all above it. `None` if one is too far away.
    fn hubs_of(
        &mut self,
        hierarchy: &Hierarchy,
        lists: &[Vec<(Hub, u8)>],
        subgoal: u32,
    ) -> Option<Vec<(Hub, u8)>> {
        self.ways[subgoal as usize] = (0, 0);
        self.found.push(subgoal);
        let mut fits = true;
        for (place, edge) in hierarchy.edges(subgoal).iter().enumerate() {
            for (hub, _) in &lists[edge.to as usize] {
                let distance = hub.distance.saturating_add(edge.weight);
                fits &= distance < u32::MAX;
                let known = &mut self.ways[hub.subgoal as usize];
                if distance < known.0 {
                    if known.0 == u32::MAX {
                        self.found.push(hub.subgoal);
                    }
                    *known = (distance, place as u8);
                }
            }
        }
        self.found.sort_unstable();
        let distance = |to: u32| self.ways[to as usize].0;
        let over_another = |to: u32| {
            let above = lists[to as usize].split_last().map_or(&[][..], |(_, above)| above);
            above.iter().any(|(hub, _)| distance(hub.subgoal).saturating_add(hub.distance) <= distance(to))
        };
        let kept = self.found.iter().filter(|&&to| !over_another(to));
        let list =
            kept.map(|&to| (Hub { subgoal: to, distance: distance(to) }, self.ways[to as usize].1)).collect();
        for to in self.found.drain(..) {
            self.ways[to as usize] = (u32::MAX, 0);
        }
        fits.then_some(list)
    }
}
