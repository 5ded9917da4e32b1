//! The subgoal graph (Uras, Koenig and Hernandez, *Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids*, ICAPS 2013).
//!
//! A *subgoal* is a cell at which jump point search has to stop after arriving in some direction. Two subgoals are connected if a
//! scan from one of them, first along a fan and then straight, meets the other before any third.
//!
//! # Why nothing is lost
//! The path that jump point search finds from a subgoal to any other consists of such scans, once it is split at every
//! subgoal it passes. So distances between subgoals are those of the graph. A path from anywhere to `t` either is one scan, or begins
//! with a scan to some subgoal `v`; and the path back from `t` to `v` either is one scan or begins with one to a subgoal.

use crate::core::expand::{Expander, START};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::parallel::{self, Bulky};
use crate::search::prepare::{PrepareError, Ticker};
use crate::search::subgoal::witness::{Ground, Pool, Quest, Witness};
use crate::space::Cell;
use crate::world::grid::{GridView, JumpGrid, JumpPlanes};

/// What steps cost, in units as large as they can be so that costs are small numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// Cost units of one unit here.
    pub unit: u64,
    straight: u64,
    diagonal: u64,
    has_diagonals: bool,
}

impl Scale {
    /// Returns the scale of a view whose open cells all cost the same, if every edge of its graph fits 32 bits.
    pub fn of(view: &GridView<'_>) -> Option<Scale> {
        let [straight, diagonal] = view.level_steps(view.grid().uniform_terrain()?).map(Cost::units);
        let has_diagonals = view.moves().has_diagonals();
        let unit = if has_diagonals { greatest_divisor(straight, diagonal) } else { straight };
        let scale = Scale { unit, straight: straight / unit, diagonal: diagonal / unit, has_diagonals };
        let longest = u64::from(view.grid().width()) + u64::from(view.grid().height());
        u32::try_from(longest * scale.straight.max(scale.diagonal)).is_ok().then_some(scale)
    }

    /// Returns the least that a path over the given numbers of columns and rows costs.
    #[inline]
    pub fn between(&self, dx: u32, dy: u32) -> u64 {
        let (long, short) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        if self.has_diagonals {
            self.straight * (long - short) + self.diagonal * short
        } else {
            self.straight * (long + short)
        }
    }
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { greatest_divisor(b, a % b) }
}

/// Which cells are subgoals, and which numbers they have.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// For 64 cells each: which are subgoals, and how many came before.
    blocks: Vec<(u64, u32)>,
    /// By how many came before: the number.
    numbers: Vec<u32>,
}

impl Places {
    /// Numbers subgoals, which have to be sorted, in their order.
    pub fn new(node_bound: usize, subgoals: &[NodeId]) -> Places {
        let mut blocks = vec![(0_u64, 0_u32); node_bound.div_ceil(64)];
        for subgoal in subgoals {
            blocks[subgoal.index() / 64].0 |= 1 << (subgoal.0 % 64);
        }
        let mut before = 0;
        for (bits, count) in &mut blocks {
            *count = before;
            before += bits.count_ones();
        }
        Places { blocks, numbers: (0..before).collect() }
    }

    /// Gives the subgoals other numbers: `numbers` has one for each, in order.
    pub fn renumbered(self, numbers: Vec<u32>) -> Places {
        Places { numbers, ..self }
    }

    /// Returns the number of a subgoal.
    #[inline]
    pub fn number(&self, node: NodeId) -> Option<u32> {
        let (bits, before) = *self.blocks.get(node.index() / 64)?;
        let bit = 1 << (node.0 % 64);
        (bits & bit != 0).then(|| self.numbers[(before + (bits & (bit - 1)).count_ones()) as usize])
    }

    pub fn bytes(&self) -> usize {
        self.blocks.len() * size_of::<(u64, u32)>() + self.numbers.len() * size_of::<u32>()
    }
}

/// An edge from one subgoal to another, kept at both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub to: u32,
    pub weight: u32,
    pub via: Via,
    /// How many edges of the subgoal graph it stands for.
    pub hops: u32,
}

/// What an edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Via {
    /// A scan from the subgoal that keeps the edge.
    ScanFromHere,
    /// A scan from the other end.
    ScanFromThere,
    /// Two edges of a subgoal in the middle.
    Middle(u32),
}

impl Via {
    /// Returns the same edge from its other end.
    pub fn reversed(self) -> Via {
        match self {
            Via::ScanFromHere => Via::ScanFromThere,
            Via::ScanFromThere => Via::ScanFromHere,
            Via::Middle(middle) => Via::Middle(middle),
        }
    }
}

/// By subgoal: its edges.
pub(super) type Links = Bulky<Vec<Vec<Link>>>;

/// The graph of the subgoals of a view, numbered in their order.
pub(super) fn build(
    view: &GridView<'_>,
    planes: &JumpPlanes,
    scale: &Scale,
    subgoals: &[NodeId],
    ticker: &Ticker<'_>,
) -> Result<Links, PrepareError> {
    let Some(jumps) = JumpGrid::over(*view, planes, &[]) else { return Ok(Links::default()) };
    let places = Places::new(view.shape().node_bound(), subgoals);
    let scanned = Bulky::from(parallel::map(
        subgoals.len(),
        || (),
        |(), number| {
            // Before the scan: once it has to end, no thread begins another.
            ticker.work(SCAN)?;
            let mut found = Vec::new();
            jumps.expand(subgoals[number], START, |to, cost, _| {
                let weight = (cost.units() / scale.unit) as u32;
                found.extend(places.number(to).map(|to| (to, weight)));
            });
            ticker.work(found.len() as u64)?;
            ticker.tick().map(|()| found)
        },
    ));
    let mut links = Links::from(vec![Vec::new(); subgoals.len()]);
    for (from, found) in scanned.iter().enumerate() {
        let found = found.as_ref().map_err(PrepareError::clone)?;
        ticker.work(found.len() as u64)?;
        for &(to, weight) in found {
            links[from].push(Link { to, weight, via: Via::ScanFromHere, hops: 1 });
            links[to as usize].push(Link { to: from as u32, weight, via: Via::ScanFromThere, hops: 1 });
        }
    }
    for (number, list) in links.iter_mut().enumerate() {
        // Both ends have to choose the same of two scans.
        let own_first = |link: &Link| (link.via == Via::ScanFromHere) == (number as u32 <= link.to);
        list.sort_by_key(|link| (link.to, link.weight, !own_first(link)));
        list.dedup_by_key(|link| link.to);
        ticker.work(list.len() as u64)?;
    }
    Ok(links)
}

/// A scan from a subgoal is about as much work as looking at this many cells.
const SCAN: u64 = 64;

/// The most subgoals examined to find a path as cheap as an edge.
const LOOK: usize = 1000;

/// Drops every edge for which a path of several edges is as cheap. Each of these is cheaper than the one dropped, so no
/// distance grows.
pub(super) fn drop_spare_links(
    links: &mut Links,
    cells: &[Cell],
    scale: &Scale,
    ticker: &Ticker<'_>,
) -> Result<(), PrepareError> {
    let pool = Pool::new(Witness::new, links.len());
    let ground = Ground { links, cells, scale };
    let spare = Bulky::from(parallel::map(
        links.len(),
        || pool.take(),
        |witness, from| {
            let quest = Quest { from: from as u32, look: LOOK, without: u32::MAX, turns: &[], detours: true };
            let list = || ground.links[from].iter().map(|link| (link.to, u64::from(link.weight)));
            witness.search(ground, &quest, list(), ticker)?;
            let spare: Vec<bool> = list().map(|(to, weight)| witness.reaches(to, weight, true)).collect();
            ticker.tick().map(|()| spare)
        },
    ));
    if let Some(error) = spare.iter().find_map(|spare| spare.as_ref().err()) {
        return Err(error.clone());
    }
    let is_spare = |from: usize, to: u32| {
        let place = links[from].binary_search_by_key(&to, |link| link.to);
        place.is_ok_and(|place| spare[from].as_ref().is_ok_and(|spare| spare[place]))
    };
    let kept =
        |from: usize, link: &&Link| !is_spare(from, link.to) && !is_spare(link.to as usize, from as u32);
    let mut rest = Links::from(Vec::with_capacity(links.len()));
    for (from, list) in links.iter().enumerate() {
        ticker.work(list.len() as u64)?;
        rest.push(list.iter().filter(|link| kept(from, link)).copied().collect());
    }
    *links = rest;
    Ok(())
}
