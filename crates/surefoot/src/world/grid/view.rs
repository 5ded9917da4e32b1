//! A grid seen by an agent: a graph.

use std::fmt;

use crate::agent::{Agent, Metric, Moves, TerrainRule};
use crate::cost::{Cost, Scale};
use crate::digest::Digest;
use crate::graph::{Graph, Located, ReverseGraph};
use crate::id::NodeId;
use crate::space::{Cell, Point};
use crate::world::components::Components;
use crate::world::grid::direction::{Direction, Offsets, offsets};
use crate::world::grid::jumps::JumpPlanes;
use crate::world::grid::layer::Layer;
use crate::world::grid::rules::Rule;
use crate::world::grid::{BitPlane, Grid, Shape, Terrain};
use crate::world::layers::Layer as _;
use crate::world::links::Link;
use crate::world::nearby;
use crate::world::pages::Values;

/// What a step costs: `constant + left * terrain left + entered * terrain entered`, which covers every terrain rule.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepCost {
    constant: u64,
    left: u64,
    entered: u64,
}

impl StepCost {
    fn new(length: Cost, straight: Cost, rule: TerrainRule) -> StepCost {
        let (length, straight) = (length.units(), straight.units());
        match rule {
            TerrainRule::Mean => StepCost { constant: 0, left: length / 2, entered: length / 2 },
            TerrainRule::Enter => StepCost { constant: 0, left: 0, entered: length },
            TerrainRule::Add => StepCost { constant: length - straight, left: 0, entered: straight },
        }
    }

    /// The largest unit in which every such step is a whole number.
    pub fn unit(&self) -> u64 {
        gcd(self.constant, gcd(self.left, self.entered))
    }

    /// The same in other units, of which it has to be a multiple.
    pub fn in_units_of(&self, unit: u64) -> StepCost {
        let StepCost { constant, left, entered } = *self;
        StepCost { constant: constant / unit, left: left / unit, entered: entered / unit }
    }

    #[inline]
    pub fn of(&self, left: u8, entered: u8) -> Cost {
        Cost::from_units(self.constant + self.left * u64::from(left) + self.entered * u64::from(entered))
    }
}

/// On grids with more cells than this, components are computed only for queries that cannot be answered without them.
const LARGE: usize = 1 << 22;

/// The greatest common divisor; that of 0 and a number is the number.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The properties of an agent that decide which paths it can take and what they cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Policy {
    /// The rule that the agent was given; see [`Moves::for_body`] for the one that it follows.
    moves: Moves,
    metric: Metric,
    terrain_rule: TerrainRule,
    needed_clearance: u32,
    /// Whether the radius is above 0: then steps and lines keep away from corners.
    is_round: bool,
}

impl Policy {
    pub fn of(agent: &Agent) -> Policy {
        Policy {
            moves: agent.moves(),
            metric: agent.metric(),
            terrain_rule: agent.terrain_rule(),
            needed_clearance: agent.needed_clearance(),
            is_round: agent.is_round(),
        }
    }

    /// Returns the grid as an agent with these properties sees it.
    pub fn view<'a>(&self, grid: &'a Grid) -> GridView<'a> {
        GridView::new(grid, grid.layers.needing(&grid.shape, self.needed_clearance), self)
    }
}

/// Numbers of open cells that tell which search suits a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StopCount {
    /// All of them.
    pub open: u64,
    /// Those with a wall, or the edge of the map, beside them.
    pub at_walls: u64,
    /// Stops of jump point search that are not in a corridor.
    pub stops: u64,
}

/// A grid as a graph for one agent. It holds borrowed data and a policy and is cheap to copy.
///
/// ```
/// use surefoot::graph::Graph;
/// use surefoot::prelude::*;
/// let grid: Grid = "..\n..".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// let mut steps = 0;
/// view.for_each_edge(grid.node(Cell::new(0, 0)).unwrap(), |_, _| steps += 1);
/// assert_eq!(steps, 3);
/// ```
#[derive(Clone, Copy)]
pub struct GridView<'a> {
    grid: &'a Grid,
    layer: &'a Layer,
    rule: &'static Rule,
    moves: Moves,
    /// The agent's own rule and size.
    policy: Policy,
    offsets: Offsets,
    /// By whether the step is diagonal.
    step_costs: [StepCost; 2],
}

impl fmt::Debug for GridView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GridView")
            .field("width", &self.grid.width())
            .field("height", &self.grid.height())
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl<'a> GridView<'a> {
    fn new(grid: &'a Grid, layer: &'a Layer, policy: &Policy) -> GridView<'a> {
        let (straight, diagonal) = (policy.metric.straight(), policy.metric.diagonal());
        let moves = policy.moves.for_body(policy.is_round);
        GridView {
            grid,
            layer,
            rule: Rule::of(moves),
            moves,
            policy: *policy,
            offsets: offsets(&grid.shape),
            step_costs: [straight, diagonal]
                .map(|length| StepCost::new(length, straight, policy.terrain_rule)),
        }
    }

    /// Returns the grid behind the view.
    pub fn grid(&self) -> &'a Grid {
        self.grid
    }

    /// Returns the movement rule that the agent follows. This is its own rule, or [`Moves::Eight`] if its radius is above 0 and its
    /// own rule would let it cut corners.
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// Returns the agent's step metric.
    pub fn metric(&self) -> &Metric {
        &self.policy.metric
    }

    /// Returns the scale of costs.
    pub fn scale(&self) -> Scale {
        Scale::GRID
    }

    /// Returns the agent's terrain rule.
    pub fn terrain_rule(&self) -> TerrainRule {
        self.policy.terrain_rule
    }

    /// Returns whether the agent's radius is above 0.
    pub fn is_round(&self) -> bool {
        self.policy.is_round
    }

    /// The properties of the agent that decide about its paths.
    pub(crate) fn policy(&self) -> Policy {
        self.policy
    }

    /// A number that tells grids and agents apart, the same on every machine.
    pub(crate) fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        let Policy { metric, terrain_rule, needed_clearance, .. } = self.policy;
        let (straight, diagonal) = (metric.straight(), metric.diagonal());
        digest.word(u64::from(self.grid.width()) << 32 | u64::from(self.grid.height()));
        digest.word((self.moves as u64) << 40 | (terrain_rule as u64) << 32 | u64::from(needed_clearance));
        digest.word(straight.units());
        digest.word(diagonal.units());
        digest.bytes(&self.grid.terrain.as_slice());
        for link in self.grid.links() {
            digest.word(u64::from(link.from.0) << 32 | u64::from(link.to.0));
            digest.word(link.cost.units());
        }
        digest.finish()
    }

    /// Returns whether the agent can stand on a cell.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.layer.open().contains(cell)
    }

    /// Returns whether the agent can stand on a node of this grid.
    #[inline]
    pub fn is_open_node(&self, node: NodeId) -> bool {
        self.layer.open().contains(self.grid.cell(node))
    }

    /// The clearance that the agent needs, as [`clearance`](crate::world::clearance) measures it.
    pub(crate) fn needed_clearance(&self) -> u32 {
        self.layer.needed_clearance()
    }

    /// How far from a wall that comes or goes cells may open or close for the agent, in columns and rows.
    pub(crate) fn reach(&self) -> i32 {
        // The square of twice what a wall `n` cells away leaves, `n - 1/2` cells, has to be below what is needed.
        let most = self.layer.needed_clearance().saturating_sub(1).isqrt() as i32;
        (most + 1) / 2
    }

    /// The same view for an agent without a radius, which fits everywhere.
    pub(crate) fn of_smallest_agent(&self) -> GridView<'a> {
        let layer = self.grid.layers.base();
        let needed_clearance = layer.needed_clearance();
        GridView::new(self.grid, layer, &Policy { needed_clearance, is_round: false, ..self.policy })
    }

    /// Returns which cells are connected, ignoring links.
    pub(crate) fn components(&self) -> &'a Components {
        self.layer.components(&self.grid.shape, self.moves)
    }

    /// Returns whether steps are known to lead from one node to another, without computing the components of a large map.
    pub(crate) fn are_connected_nearby(&self, from: NodeId, to: NodeId) -> bool {
        let is_large = self.grid.shape.node_bound() > LARGE && !self.layer.knows_components(self.moves);
        let cell = |node| self.grid.cell(node);
        is_large
            && nearby::are_connected(self.layer.open(), self.moves == Moves::EightFree, cell(from), cell(to))
    }

    /// What kind of open cells there are.
    pub(crate) fn stops(&self) -> StopCount {
        let census = self.layer.census(&self.grid.shape);
        let mut counts = StopCount { open: 0, at_walls: 0, stops: 0 };
        for (neighbours, count) in (0..=u8::MAX).zip(census.iter().map(|&count| u64::from(count))) {
            let stops = self.rule.forces(self.moves, neighbours) && !self.rule.is_corridor(neighbours);
            counts.open += count;
            counts.at_walls += count * u64::from(neighbours != u8::MAX);
            counts.stops += count * u64::from(stops);
        }
        counts
    }

    /// Where lines have to stop for the agent.
    pub(super) fn jump_planes(&self) -> &'a JumpPlanes {
        self.layer.jumps(&self.grid.shape, self.moves)
    }

    /// Computes now where lines have to stop for the agent, and what is connected. See [`effort`](crate::effort) for `work`.
    pub(crate) fn make_ready_for_jumps<E>(&self, work: impl Fn(u64) -> Result<(), E>) -> Result<(), E> {
        self.layer.make_components(&self.grid.shape, self.moves, &work)?;
        self.layer.make_jumps(&self.grid.shape, self.moves, work)
    }

    /// Where the agent can stand.
    pub(crate) fn open_cells(&self) -> &'a BitPlane {
        self.layer.open()
    }

    pub(crate) fn shape(&self) -> &'a Shape {
        &self.grid.shape
    }

    pub(super) fn layer(&self) -> &'a Layer {
        self.layer
    }

    pub(crate) fn rule(&self) -> &'static Rule {
        self.rule
    }

    pub(crate) fn offsets(&self) -> &Offsets {
        &self.offsets
    }

    /// By node number: which neighbours are open, as a byte.
    pub(crate) fn neighbours(&self) -> Values<'a, u8> {
        self.layer.neighbours()
    }

    /// The legal steps at a node, as a byte.
    #[inline]
    pub(crate) fn legal_steps(&self, node: NodeId) -> u8 {
        self.rule.legal(self.layer.neighbours().get(node.index()))
    }

    /// By node number: the terrain cost, 0 for walls.
    pub(crate) fn terrain(&self) -> Values<'a, u8> {
        self.grid.terrain.values()
    }

    /// What straight and diagonal steps cost.
    pub(crate) fn step_costs(&self) -> [StepCost; 2] {
        self.step_costs
    }

    /// The steps that cheapest paths may take, by the set of directions from which a cell is reached at its lowest cost, and
    /// by its neighbour byte.
    pub(crate) fn thrifty_steps(&self) -> &'static [[u8; 256]] {
        let level = self.grid.uniform_terrain().map(|terrain| self.level_steps(terrain));
        Rule::thrifty(self.moves, level)
    }

    /// What a straight and a diagonal step cost between two cells of the same terrain.
    pub(crate) fn level_steps(&self, terrain: Terrain) -> [Cost; 2] {
        self.step_costs.map(|step| step.of(terrain.cost(), terrain.cost()))
    }

    /// Returns the cost of the most expensive step on the map.
    pub(crate) fn max_step_cost(&self) -> Cost {
        self.step_costs[1]
            .of(self.grid.most_expensive_terrain().cost(), self.grid.most_expensive_terrain().cost())
    }

    /// What the step between two neighbours costs, whether or not it is legal.
    #[inline]
    fn step_cost(&self, from: NodeId, to: NodeId, direction: usize) -> Cost {
        let terrain = self.grid.terrain.values();
        self.step_costs[usize::from(direction >= 4)].of(terrain.get(from.index()), terrain.get(to.index()))
    }

    /// What the step between two neighbours costs, in units, if it is legal.
    pub(crate) fn step_units(&self, from: NodeId, to: NodeId, direction: Direction) -> Option<Cost> {
        let legal = self.legal_steps(from) & direction.bit() != 0;
        legal.then(|| self.step_cost(from, to, direction as usize))
    }

    /// What the step from one node to another costs, if there is a legal one.
    pub(crate) fn step_between(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        let delta = to.0.wrapping_sub(from.0) as i32;
        let direction = self.offsets.iter().position(|&offset| offset == delta)?;
        self.step_units(from, to, Direction::ALL[direction])
    }

    /// What the step between two neighbours costs, in half straight and half diagonal lengths.
    pub(crate) fn step_halves(&self, from: NodeId, to: NodeId, direction: Direction) -> [u64; 2] {
        self.halves(self.terrain_cost(from), self.terrain_cost(to), direction.is_diagonal())
    }

    /// What a step between two cells of the same terrain costs, in half straight and half diagonal lengths.
    pub(crate) fn level_halves(&self, terrain: Terrain, diagonal: bool) -> [u64; 2] {
        self.halves(terrain.cost().into(), terrain.cost().into(), diagonal)
    }

    fn halves(&self, left: u64, entered: u64, diagonal: bool) -> [u64; 2] {
        let (along, beside) = match self.policy.terrain_rule {
            TerrainRule::Mean => (left + entered, 0),
            TerrainRule::Enter => (2 * entered, 0),
            TerrainRule::Add => (2, 2 * (entered - 1)),
        };
        if diagonal { [beside, along] } else { [along + beside, 0] }
    }

    fn terrain_cost(&self, node: NodeId) -> u64 {
        u64::from(self.grid.terrain.get(node.index()))
    }

    /// The legal steps at a node as `(direction number, neighbour)`.
    #[inline]
    fn for_each_step(&self, node: NodeId, visit: impl FnMut(usize, NodeId)) {
        self.for_each_of(self.legal_steps(node), node, visit);
    }

    /// Some steps at a node, given as a byte, as `(direction number, neighbour)`.
    #[inline]
    fn for_each_of(&self, mut steps: u8, node: NodeId, mut visit: impl FnMut(usize, NodeId)) {
        while steps != 0 {
            let direction = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            visit(direction, NodeId(node.0.wrapping_add_signed(self.offsets[direction])));
        }
    }

    /// Visits some steps at a node, given as a byte, as `(direction number, neighbour, cost)`, without checking whether they are
    /// legal.
    #[inline]
    pub(crate) fn for_each_cost_of(
        &self,
        steps: u8,
        from: NodeId,
        mut visit: impl FnMut(usize, NodeId, Cost),
    ) {
        self.for_each_of(steps, from, |direction, to| {
            visit(direction, to, self.step_cost(from, to, direction));
        });
    }

    /// The same backwards: some steps to a node, as `(direction number, neighbour, cost)`, the direction being that from
    /// the node to the neighbour.
    #[inline]
    pub(crate) fn for_each_cost_into(
        &self,
        steps: u8,
        to: NodeId,
        mut visit: impl FnMut(usize, NodeId, Cost),
    ) {
        self.for_each_of(steps, to, |direction, from| {
            visit(direction, from, self.step_cost(from, to, direction));
        });
    }

    /// The links that start at a node and end where the agent can stand.
    pub(crate) fn links_leaving(&self, node: NodeId) -> impl Iterator<Item = Link> + '_ {
        self.grid.links.leaving(node).iter().copied().filter(|link| self.is_open_node(link.to))
    }

    /// The links that end at a node and start where the agent can stand.
    pub(crate) fn links_entering(&self, node: NodeId) -> impl Iterator<Item = Link> + '_ {
        self.grid.links.entering(node).iter().copied().filter(|link| self.is_open_node(link.from))
    }

    /// Returns the links that the agent can use.
    pub(crate) fn usable_links(&self) -> impl Iterator<Item = Link> + '_ {
        let open = |node| self.is_open_node(node);
        self.grid.links.all().iter().copied().filter(move |link| open(link.from) && open(link.to))
    }
}

impl Graph for GridView<'_> {
    fn node_bound(&self) -> usize {
        self.grid.shape.node_bound()
    }

    #[inline]
    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.for_each_step(from, |direction, to| visit(to, self.step_cost(from, to, direction)));
        if !self.grid.links.is_empty() {
            for link in self.links_leaving(from) {
                visit(link.to, link.cost);
            }
        }
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        let delta = next.0.wrapping_sub(at.0) as i32;
        let direction = self.offsets.iter().position(|&offset| offset == delta)?;
        let before = NodeId(at.0.wrapping_sub(delta as u32));
        // The step back is legal exactly when the step here is: every rule is symmetric.
        let back = Direction::ALL[direction].opposite().bit();
        let legal = self.legal_steps(at) & back != 0;
        legal.then(|| (before, self.step_cost(before, at, direction)))
    }
}

impl ReverseGraph for GridView<'_> {
    #[inline]
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.for_each_step(to, |direction, from| visit(from, self.step_cost(from, to, direction)));
        if !self.grid.links.is_empty() {
            for link in self.links_entering(to) {
                visit(link.from, link.cost);
            }
        }
    }
}

impl Located for GridView<'_> {
    fn position(&self, node: NodeId) -> Point {
        self.grid.frame.cell_centre(self.grid.cell(node))
    }
}
