//! What changed, all in all: changes that undo each other are no news.

use crate::agent::Moves;
use crate::id::NodeId;
use crate::replan::subscriptions::flight::{Area, Chart, Flight, Place};
use crate::replan::subscriptions::ground::Ground;
use crate::replan::subscriptions::sieve::Sieve;
use crate::world::grid::{GridChange, GridView, Terrain};
use crate::world::journal::Revision;
use crate::world::links::Link;
use crate::world::view::View;
use crate::world::voxels::cost_along;
use crate::world::waypoints::{EdgeChange, EdgeKind, Waypoints};

/// More places than this that may make paths cheaper are not asked about one by one: boxes stand for them.
const MANY_CHANCES: usize = 32;

/// A way that has become possible or cheaper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    /// One has to get here first,
    from: Area,
    /// then goes on from here,
    to: Area,
    /// and pays at least this between the two. Less than nothing if one may keep away from both a little.
    extra: i64,
    /// Besides, whoever neither starts nor ends there pays this.
    toll: u64,
}

impl Chance {
    /// Where to look for those who may profit.
    pub fn place(&self) -> Area {
        // Diagonal steps past a cell that has opened lead from one neighbour to another.
        self.from.grown(1, 1)
    }

    /// The least that a way costs that makes use of it.
    #[inline]
    pub fn least(&self, flight: &Flight, [start, goal]: [Place; 2]) -> u64 {
        let before = flight.between(&start.into(), &self.from);
        let after = flight.between(&self.to, &goal.into());
        let toll = if before == 0 || after == 0 { 0 } else { self.toll };
        (before + after + toll).saturating_add_signed(self.extra)
    }

    /// A quick look at who may make use of it, if there is one.
    pub fn sieve(&self, flight: &Flight) -> Option<Sieve> {
        flight.scale().map(|scale| scale.sieve(&self.from, &self.to, self.extra))
    }

    /// A chance that is at least as good as either of two.
    fn joined(self, other: Chance) -> Chance {
        Chance {
            from: self.from.joined(other.from),
            to: self.to.joined(other.to),
            extra: self.extra.min(other.extra),
            toll: self.toll.min(other.toll),
        }
    }
}

/// What changed between two moments.
#[derive(Clone, Debug, Default)]
pub(super) struct News {
    /// By cell: terrain before and after; the middle number only sorts.
    cells: Vec<(NodeId, u32, [Terrain; 2])>,
    /// Links, and by how many of them there are more.
    links: Vec<(Link, i32)>,
    edges: Vec<(u32, EdgeChange)>,
}

impl News {
    /// Reads what changed since a moment; `false` if that is no longer known.
    pub fn read(&mut self, view: &View<'_>, since: Revision) -> bool {
        self.cells.clear();
        self.links.clear();
        self.edges.clear();
        match view {
            View::Grid(view) => {
                let Some(changes) = view.grid().journal().since(since) else { return false };
                for (number, change) in (0..).zip(changes) {
                    match change {
                        GridChange::Terrain { node, old, new } => self.cells.push((node, number, [old, new])),
                        GridChange::LinkAdded(link) => self.links.push((link, 1)),
                        GridChange::LinkRemoved(link) => self.links.push((link, -1)),
                    }
                }
            }
            View::Voxels(view) => {
                let Some(changes) = view.voxels().journal().since(since) else { return false };
                let kinds = |solid: bool| {
                    if solid { [Terrain::FLOOR, Terrain::WALL] } else { [Terrain::WALL, Terrain::FLOOR] }
                };
                self.cells.extend(
                    (0..).zip(changes).map(|(number, change)| (change.node, number, kinds(change.solid))),
                );
            }
            View::Graph(graph) => {
                let Some(changes) = graph.journal().since(since) else { return false };
                self.edges.extend((0..).zip(changes));
            }
        }
        self.settle();
        true
    }

    /// Leaves one entry for each thing that is not what it was.
    fn settle(&mut self) {
        self.cells.sort_unstable_by_key(|&(node, number, _)| (node, number));
        self.cells.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.2[1] = later.2[1];
            }
            same
        });
        self.cells.retain(|(_, _, [old, new])| old != new);
        self.links.sort_unstable();
        self.links.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += later.1;
            }
            same
        });
        self.links.retain(|(_, more)| *more != 0);
        self.edges.sort_unstable_by_key(|(number, change)| (change.edge, *number));
        self.edges.dedup_by(|(_, later), (_, earlier)| {
            let same = later.edge == earlier.edge;
            if same {
                earlier.new = later.new;
            }
            same
        });
        self.edges.retain(|(_, change)| change.old != change.new);
    }

    /// Whether links are not what they were.
    pub fn has_links(&self, view: &View<'_>) -> bool {
        match view {
            View::Grid(_) | View::Voxels(_) => !self.links.is_empty(),
            View::Graph(graph) => self.edges.iter().any(|(_, change)| {
                graph.edges().get(change.edge.0 as usize).is_some_and(|edge| edge.kind == EdgeKind::Link)
            }),
        }
    }

    /// Whether nothing happened but that walls went: then what can be walked costs what it did.
    pub fn only_opens(&self) -> bool {
        let opened = |[old, new]: [Terrain; 2]| old.is_wall() && !new.is_wall();
        self.links.is_empty()
            && self.edges.is_empty()
            && self.cells.iter().all(|&(_, _, kinds)| opened(kinds))
    }

    /// Collects the nodes whose legs may not be what they were, by block: `(block, nodes)`, each block once.
    pub fn suspects_into(&self, view: &View<'_>, suspects: &mut Vec<(u32, u64)>) {
        let ground = Ground::of(view);
        suspects.clear();
        let mut add =
            |node, distance| ground.around(node, distance, |block, nodes| suspects.push((block, nodes)));
        match view {
            View::Grid(view) => {
                let reach = view.reach();
                for &(node, _, [old, new]) in &self.cells {
                    // Where one can stand decides about steps from the cells beside, too.
                    add(node, if old.is_wall() == new.is_wall() { 1 } else { reach + 1 });
                }
                self.links.iter().for_each(|(link, _)| add(link.from, 0));
            }
            View::Voxels(view) => {
                self.cells.iter().for_each(|&(node, _, _)| view.nodes_near(node, |node| add(node, 0)));
            }
            View::Graph(graph) => {
                let edges =
                    self.edges.iter().filter_map(|(_, change)| graph.edges().get(change.edge.0 as usize));
                edges.for_each(|edge| add(edge.from, 0));
            }
        }
        suspects.sort_unstable();
        suspects.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 |= later.1;
            }
            same
        });
    }

    /// Collects what may make paths cheaper. A path that has become cheaper makes use of one of these, whatever else it
    /// does; so the least cost of a way by way of each of them decides.
    pub fn chances_into(&self, view: &View<'_>, chart: &Chart, flight: &Flight, chances: &mut Vec<Chance>) {
        chances.clear();
        match view {
            View::Grid(grid) => {
                chances.extend(self.cells.iter().filter_map(|&(node, _, [old, new])| {
                    cell_chance(grid, chart.place(view, node).into(), flight, node, [old, new])
                }));
                let added = self.links.iter().filter(|(_, more)| *more > 0);
                chances.extend(added.map(|(link, _)| link_chance(view, chart, *link)));
            }
            View::Voxels(space) => {
                let opened = self.cells.iter().filter(|(_, _, [_, new])| !new.is_wall());
                chances.extend(opened.map(|&(node, _, _)| {
                    let area = Area::from(chart.place(view, node)).grown(space.reach(), space.reach());
                    // Past an edge or a corner of what opened, rather than over its middle: no more than that is saved.
                    let extra = -4 * cost_along(3).units() as i64;
                    Chance { from: area, to: area, extra, toll: 0 }
                }));
            }
            View::Graph(graph) => chances
                .extend(self.edges.iter().filter_map(|(_, change)| edge_chance(view, chart, graph, change))),
        }
        if chances.len() > MANY_CHANCES {
            chances.sort_unstable_by_key(|chance| along_a_curve(&chance.from));
            let (size, mut boxes) = (chances.len().div_ceil(MANY_CHANCES), 0);
            for first in (0..chances.len()).step_by(size) {
                let end = (first + size).min(chances.len());
                chances[boxes] = chances[first..end].iter().copied().fold(chances[first], Chance::joined);
                boxes += 1;
            }
            chances.truncate(boxes);
        }
    }

    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<(NodeId, u32, [Terrain; 2])>()
            + self.links.capacity() * size_of::<(Link, i32)>()
            + self.edges.capacity() * size_of::<(u32, EdgeChange)>()
    }
}

fn cell_chance(
    grid: &GridView<'_>,
    cell: Area,
    flight: &Flight,
    node: NodeId,
    [old, new]: [Terrain; 2],
) -> Option<Chance> {
    if new.is_wall() || !old.is_wall() && new > old {
        return None;
    }
    let has_corners = matches!(grid.moves(), Moves::Eight | Moves::EightOne);
    if old.is_wall() && (grid.reach() > 0 || has_corners) {
        // Cells around it may have opened, and a diagonal step past each of these: from one neighbour to another, which may be
        // cheaper than over the cell itself by as much as diagonals save.
        let area = cell.grown(grid.reach(), grid.reach());
        return Some(Chance { from: area, to: area, extra: -(flight.saved_by_diagonal() as i64), toll: 0 });
    }
    if !grid.is_open_node(node) {
        return None;
    }
    // The estimate takes the cell for as cheap as any. Who comes through a link does not pay for entering it.
    let [straight, _] = grid.step_costs();
    let (cheapest, here) = (grid.grid().cheapest_terrain().cost(), new.cost());
    let dearer = straight.of(cheapest, here) + straight.of(here, cheapest);
    let level = straight.of(cheapest, cheapest) * 2;
    let toll = if flight.has_doors() { 0 } else { (dearer - level).units() };
    Some(Chance { from: cell, to: cell, extra: 0, toll })
}

fn link_chance(view: &View<'_>, chart: &Chart, link: Link) -> Chance {
    let [from, to] = [link.from, link.to].map(|node| chart.place(view, node).into());
    Chance { from, to, extra: link.cost.units() as i64, toll: 0 }
}

fn edge_chance(view: &View<'_>, chart: &Chart, graph: &Waypoints, change: &EdgeChange) -> Option<Chance> {
    let edge = graph.edges().get(change.edge.0 as usize)?;
    let cost = change.new.filter(|new| change.old.is_none_or(|old| *new < old))?;
    Some(link_chance(view, chart, Link { from: edge.from, to: edge.to, cost }))
}

/// A number for a place along a curve that keeps neighbours together.
fn along_a_curve(area: &Area) -> u64 {
    let spread = |at: i32, bit: u32| (at as u64 >> bit & 1) << (2 * bit);
    (0..16).fold(0, |all, bit| all | spread(area.left.max(0), bit) | spread(area.top.max(0), bit) << 1)
}
