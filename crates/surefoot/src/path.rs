//! Paths: nodes in order, what they cost, how long they are.

use crate::cost::Cost;
use crate::graph::{Graph, Located, Sight};
use crate::id::NodeId;
use crate::space::{Cell, Point, Voxel};
use crate::world::grid::{Direction, Grid, GridView, Terrain};
use crate::world::view::View;
use crate::world::voxels::{VoxelView, Voxels, cost_along};
use crate::world::waypoints::{EdgeKind, Waypoints};

/// A way through a world, from the start to the end, both included.
///
/// ```
/// use surefoot::prelude::*;
/// let grid: Grid = "
///     ...
///     .#.".parse().unwrap();
/// let view = grid.view(&Agent::default()).unwrap();
/// let mut finder = Pathfinder::default();
/// let path = finder.find(&view, Cell::new(0, 1), Cell::new(2, 1)).unwrap();
/// let cells: Vec<Cell> = path.cells(&grid).collect();
/// assert_eq!(cells, [(0, 1), (0, 0), (1, 0), (2, 0), (2, 1)].map(|(x, y)| Cell::new(x, y)));
/// assert_eq!((path.steps(), path.cost()), (4, 4.0));
/// assert_eq!(path.corners(&view).len(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    nodes: Vec<NodeId>,
    units: Cost,
    cost: f64,
    length: f64,
    jumps: Vec<usize>,
    any_angle: bool,
}

impl Path {
    /// The nodes in order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// What it costs in fixed-point units: what searches compare.
    pub fn units(&self) -> Cost {
        self.units
    }

    /// What it costs in cells, computed from its steps without rounding: straights and diagonals are counted, then
    /// multiplied once by the agent's metric. A line at any angle costs its length at the price of a straight step.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// How long it is: straight steps 1, diagonal ones `sqrt 2` (on graphs, the length of the roads). Links add nothing.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The steps that go through links, by number: step `i` leads from node `i` to node `i + 1`. A
    /// [`Follower`](crate::follow::Follower) takes them as jumps.
    pub fn jumps(&self) -> &[usize] {
        &self.jumps
    }

    /// Whether its steps are straight lines at any angle, from one node where it turns to the next, over whatever cells lie
    /// between. If not, each step leads to a neighbour or through a link.
    pub fn is_any_angle(&self) -> bool {
        self.any_angle
    }

    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }

    /// Whether there is no path here.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The cells in order, for a path on a grid.
    pub fn cells<'a>(&'a self, grid: &'a Grid) -> impl ExactSizeIterator<Item = Cell> + 'a {
        self.nodes.iter().map(|&node| grid.cell(node))
    }

    /// The cells in order, for a path in a voxel world.
    pub fn voxels<'a>(&'a self, voxels: &'a Voxels) -> impl ExactSizeIterator<Item = Voxel> + 'a {
        self.nodes.iter().map(|&node| voxels.voxel(node))
    }

    /// The start, the nodes where the path turns, both ends of every link that it takes, and the end. Between one of them and the
    /// next, the path is a straight line or a link.
    pub fn corners<'a>(&self, view: impl Into<View<'a>>) -> Vec<NodeId> {
        let view = view.into();
        let is_jump = |step: usize| self.jumps.binary_search(&step).is_ok();
        let goes_straight = |before: NodeId, at: NodeId, after: NodeId| match view {
            View::Grid(view) => {
                let step = |a, b| direction_between(&view, a, b);
                step(before, at).is_some() && step(before, at) == step(at, after)
            }
            View::Graph(_) => false,
            View::Voxels(view) => {
                let [before, at, after] = [before, at, after].map(|node| view.voxels().voxel(node));
                let delta = |a: Voxel, b: Voxel| [b.x - a.x, b.y - a.y, b.z - a.z];
                delta(before, at) == delta(at, after)
            }
        };
        let kept = |index: usize| {
            let around = index.checked_sub(1).zip(self.nodes.get(index + 1));
            around.is_none_or(|(before, &after)| {
                is_jump(before)
                    || is_jump(index)
                    || !goes_straight(self.nodes[before], self.nodes[index], after)
            })
        };
        (0..self.nodes.len()).filter(|&index| kept(index)).map(|index| self.nodes[index]).collect()
    }

    /// The places of the nodes in world coordinates.
    pub fn points<'a>(&self, view: impl Into<View<'a>>) -> Vec<Point> {
        let view = view.into();
        self.nodes.iter().map(|&node| view.position(node)).collect()
    }

    /// Forgets the path, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.jumps.clear();
        (self.units, self.cost, self.length) = (Cost::ZERO, 0.0, 0.0);
        self.any_angle = false;
    }

    /// Lets `write` fill in the nodes, then measures them.
    pub(crate) fn rewrite(&mut self, view: &View<'_>, write: impl FnOnce(&mut Vec<NodeId>)) {
        self.clear();
        write(&mut self.nodes);
        self.measure(view);
    }

    /// The same for nodes with straight lines between them.
    pub(crate) fn rewrite_lines(&mut self, view: &View<'_>, write: impl FnOnce(&mut Vec<NodeId>)) {
        self.clear();
        self.any_angle = true;
        write(&mut self.nodes);
        self.measure(view);
    }

    /// Leaves out the nodes before one, by its place.
    pub(crate) fn cut_before(&mut self, view: &View<'_>, first: usize) {
        self.nodes.drain(..first);
        self.measure(view);
    }

    fn measure(&mut self, view: &View<'_>) {
        self.jumps.clear();
        (self.units, self.cost, self.length) = (Cost::ZERO, 0.0, 0.0);
        match view {
            View::Grid(view) if self.any_angle => self.measure_lines_on_grid(view),
            View::Grid(view) => self.measure_on_grid(view),
            View::Graph(graph) => self.measure_on_graph(graph),
            View::Voxels(view) if self.any_angle => self.measure_lines_in_space(view),
            View::Voxels(view) => self.measure_in_space(view),
        }
    }

    fn measure_on_grid(&mut self, view: &GridView<'_>) {
        match view.grid().uniform_terrain() {
            Some(terrain) if view.grid().links().is_empty() => self.measure_on_level(view, terrain),
            _ => self.measure_on_terrain(view),
        }
    }

    fn measure_lines_on_grid(&mut self, view: &GridView<'_>) {
        for pair in self.nodes.windows(2) {
            let (a, b) = (view.grid().cell(pair[0]), view.grid().cell(pair[1]));
            let (dx, dy) = (f64::from(b.x - a.x), f64::from(b.y - a.y));
            self.units += view.line(pair[0], pair[1]);
            self.length += (dx * dx + dy * dy).sqrt();
        }
        let [halves, _] = view.level_halves(view.grid().cheapest_terrain(), false);
        self.cost = self.length * (halves as f64 / 2.0 * view.metric().straight_cells());
    }

    /// Where all steps of a kind cost the same, they are counted without a look at the map.
    fn measure_on_level(&mut self, view: &GridView<'_>, terrain: Terrain) {
        let stride = view.shape().stride();
        let is_straight =
            |pair: &[NodeId]| matches!(pair[0].0.abs_diff(pair[1].0), d if d == 1 || d == stride);
        let straights = self.nodes.windows(2).filter(|pair| is_straight(pair)).count() as u64;
        let diagonals = self.steps() as u64 - straights;
        let [straight, diagonal] = view.level_steps(terrain);
        self.units = straight * straights + diagonal * diagonals;
        let [across, _] = view.level_halves(terrain, false);
        let [beside, along] = view.level_halves(terrain, true);
        self.cost = (straights * across + diagonals * beside) as f64 / 2.0 * view.metric().straight_cells()
            + (diagonals * along) as f64 / 2.0 * view.metric().diagonal_cells();
        self.length = straights as f64 + diagonals as f64 * std::f64::consts::SQRT_2;
    }

    fn measure_on_terrain(&mut self, view: &GridView<'_>) {
        // Half straight and half diagonal lengths, so that the mean of two terrain costs stays whole.
        let (mut straight_halves, mut diagonal_halves) = (0, 0);
        let (mut straights, mut diagonals) = (0_u32, 0_u32);
        let mut links = Cost::ZERO;
        for (index, pair) in self.nodes.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let direction = direction_between(view, from, to);
            let units = cheapest_edge(view, from, to);
            self.units += units;
            let step = direction.map(|direction| (direction, view.step_halves(from, to, direction)));
            let Some((direction, [straight, diagonal])) =
                step.filter(|(direction, _)| view.step_units(from, to, *direction) == Some(units))
            else {
                links += units;
                self.jumps.push(index);
                continue;
            };
            straight_halves += straight;
            diagonal_halves += diagonal;
            straights += u32::from(!direction.is_diagonal());
            diagonals += u32::from(direction.is_diagonal());
        }
        let metric = view.metric();
        self.cost = straight_halves as f64 / 2.0 * metric.straight_cells()
            + diagonal_halves as f64 / 2.0 * metric.diagonal_cells()
            + view.scale().cells(links);
        self.length = f64::from(straights) + f64::from(diagonals) * std::f64::consts::SQRT_2;
    }

    fn measure_lines_in_space(&mut self, view: &VoxelView<'_>) {
        for pair in self.nodes.windows(2) {
            let (a, b) = (view.voxels().voxel(pair[0]), view.voxels().voxel(pair[1]));
            let (dx, dy, dz) = (f64::from(b.x - a.x), f64::from(b.y - a.y), f64::from(b.z - a.z));
            self.units += view.line(pair[0], pair[1]);
            self.length += (dx * dx + dy * dy + dz * dz).sqrt();
        }
        self.cost = self.length;
    }

    fn measure_in_space(&mut self, view: &VoxelView<'_>) {
        // By how many axes a step goes along.
        let mut steps = [0_u64; 4];
        for pair in self.nodes.windows(2) {
            let (a, b) = (view.voxels().voxel(pair[0]), view.voxels().voxel(pair[1]));
            let axes = [a.x != b.x, a.y != b.y, a.z != b.z].into_iter().filter(|moved| *moved).count();
            steps[axes] += 1;
        }
        self.units = (1..4).map(|axes| cost_along(axes) * steps[axes]).sum();
        self.length = (1..4).map(|axes| steps[axes] as f64 * (axes as f64).sqrt()).sum();
        self.cost = self.length;
    }

    fn measure_on_graph(&mut self, graph: &Waypoints) {
        for (index, pair) in self.nodes.windows(2).enumerate() {
            let edge = graph.cheapest_edge(pair[0], pair[1]);
            self.units += edge.map_or(Cost::ZERO, |edge| edge.cost);
            if edge.is_some_and(|edge| edge.kind == EdgeKind::Road) {
                self.length += graph.position(pair[0]).distance(graph.position(pair[1]));
            } else {
                self.jumps.push(index);
            }
        }
        self.cost = graph.scale().cells(self.units);
    }
}

/// The direction of the step between two nodes, if they are neighbours.
fn direction_between(view: &GridView<'_>, from: NodeId, to: NodeId) -> Option<Direction> {
    let (a, b) = (view.grid().cell(from), view.grid().cell(to));
    Direction::of(b.x - a.x, b.y - a.y)
}

/// What the cheapest edge between two nodes costs: neighbours may be joined by a link, too.
fn cheapest_edge(view: &GridView<'_>, from: NodeId, to: NodeId) -> Cost {
    let mut cheapest = Cost::MAX;
    view.for_each_edge(from, |next, cost| {
        if next == to {
            cheapest = cheapest.min(cost);
        }
    });
    cheapest
}
