//! The costs and signposts of a field, in the form that suits the world.

use crate::cost::Cost;
use crate::field::flow_field::Extent;
use crate::field::posts::{NodePosts, Posts, StepPosts};
use crate::field::runs::{Waiting, level_of, run};
use crate::field::table::{NO_BOUND, Overflow, Table};
use crate::field::ways::{AnyWays, GridWays, Ways};
use crate::field::word::Word;
use crate::id::NodeId;
use crate::space::{Cell, Frame};
use crate::world::any::{View, on_world};
use crate::world::changes::{Changes, Touched};
use crate::world::grid::{GridView, Shape, offsets};
use crate::world::links::Link;
use crate::world::space::SearchSpace;

/// The grid of a field: what can be said about it without a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub shape: Shape,
    pub frame: Frame,
    /// How far from a wall cells may be closed for the agent.
    pub reach: i32,
    pub offsets: [i32; 8],
    /// Whether the radius of the agent is above 0.
    pub is_round: bool,
}

impl Site {
    pub fn of(view: &GridView<'_>) -> Site {
        let shape = *view.shape();
        Site {
            shape,
            frame: *view.grid().frame(),
            reach: view.reach(),
            offsets: offsets(&shape),
            is_round: view.is_round(),
        }
    }
}

/// The field of a grid.
#[derive(Clone, Debug)]
pub(super) struct OnGrid<W> {
    table: Table<W>,
    posts: StepPosts,
    runs: Waiting,
    /// What the costs in the table count.
    unit: u64,
}

/// Costs and signposts.
#[derive(Clone, Debug)]
pub(super) enum Plane {
    /// Of a grid whose costs fit 32 bits.
    Narrow(OnGrid<u32>),
    /// Of any other grid.
    Broad(OnGrid<u64>),
    /// Of another world.
    Other { table: Table<u64>, posts: NodePosts },
}

impl Default for Plane {
    fn default() -> Plane {
        Plane::Other { table: Table::default(), posts: NodePosts::default() }
    }
}

/// A repair that concerns more nodes than this share of all takes longer than a new field.
const MOST_REPAIRED: usize = 6;

impl<W: Word> OnGrid<W> {
    fn new() -> OnGrid<W> {
        OnGrid { table: Table::default(), posts: StepPosts::default(), runs: Waiting::default(), unit: 1 }
    }

    fn ways<'a>(&self, view: &GridView<'a>) -> GridWays<'a, W> {
        GridWays::in_units_of(*view, self.unit)
    }

    fn build(
        &mut self,
        view: &GridView<'_>,
        starts: impl Iterator<Item = (NodeId, u64)> + Clone,
        extent: Extent,
    ) -> Result<(), Overflow> {
        let ways: GridWays<'_, W> = GridWays::new(*view, starts.clone().map(|(_, cost)| cost));
        self.unit = ways.unit;
        let extent = match extent {
            Extent::Within(cost) => Extent::Within(Cost::from_units(cost.units() / ways.unit)),
            other => other,
        };
        let starts = starts.map(|(node, cost)| (node, cost / ways.unit));
        let OnGrid { table, posts, runs, .. } = self;
        if extent == Extent::Everything
            && let Some(level) = level_of(&ways)
        {
            table.set_starts(starts)?;
            table.begin(&ways, |costs| open_cells(view, costs));
            run(&ways, level, table, runs)?;
            table.bound = NO_BOUND;
            posts.0.resize(ways.bound(), 0);
            posts.set_all(&ways, table);
            return Ok(());
        }
        build(&ways, table, posts, starts, extent, |costs| open_cells(view, costs))
    }

    fn repair(
        &mut self,
        view: &GridView<'_>,
        changes: &Changes,
        touched: &Touched,
        moved: Option<impl Iterator<Item = (NodeId, u64)>>,
    ) -> Option<usize> {
        if !changes.links().iter().all(|(link, _)| link.cost.units().is_multiple_of(self.unit)) {
            return None;
        }
        let (ways, unit) = (self.ways(view), self.unit);
        let moved = moved.map(|starts| starts.map(|(node, cost)| (node, cost / unit)));
        repair(&ways, &mut self.table, &mut self.posts, touched, moved)
    }

    fn settle(&mut self, view: &GridView<'_>, nodes: &[NodeId]) -> Result<bool, Overflow> {
        settle(&self.ways(view), &mut self.table, &mut self.posts, nodes)
    }

    #[inline]
    fn cost(&self, node: NodeId) -> Option<Cost> {
        self.table.cost(node).map(|cost| Cost::from_units(cost.units() * self.unit))
    }

    fn takes(&self, link: Link) -> bool {
        let is_goal =
            self.table.start(link.from).is_some_and(|start| Some(start) == self.table.cost(link.from));
        self.posts.0[link.from.index()] == 0 && !is_goal
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.posts.0.capacity() + self.runs.bytes()
    }
}

impl Plane {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        match self {
            Plane::Narrow(field) => field.table.bound = 0,
            Plane::Broad(field) => field.table.bound = 0,
            Plane::Other { table, .. } => table.bound = 0,
        }
    }

    /// Computes everything.
    pub fn build(
        &mut self,
        view: &View<'_>,
        starts: impl Iterator<Item = (NodeId, u64)> + Clone,
        extent: Extent,
    ) {
        if let Some(grid) = view.as_grid() {
            if !matches!(self, Plane::Narrow(_)) {
                *self = Plane::Narrow(OnGrid::new());
            }
            if let Plane::Narrow(field) = self
                && field.build(grid, starts.clone(), extent).is_ok()
            {
                return;
            }
            self.build_broad(grid, starts, extent);
            return;
        }
        if !matches!(self, Plane::Other { .. }) {
            *self = Plane::default();
        }
        if let Plane::Other { table, posts } = self {
            on_world!(view, space => {
                let ways = AnyWays(space);
                let _ = build(&ways, table, posts, starts, extent, |costs| {
                    for (node, cost) in (0..).map(NodeId).zip(costs) {
                        if space.numbering().contains(node) && ways.stands(node) {
                            *cost = u64::UNREACHED;
                        }
                    }
                });
            });
        }
    }

    /// Repairs costs and signposts. `moved` are the goals if they have changed. Returns how many costs changed, or `None` if everything
    /// has to be computed anew, or had better be.
    pub fn repair(
        &mut self,
        view: &View<'_>,
        changes: &Changes,
        touched: &Touched,
        moved: Option<impl Iterator<Item = (NodeId, u64)>>,
    ) -> Option<usize> {
        match self {
            Plane::Narrow(field) => field.repair(view.as_grid()?, changes, touched, moved),
            Plane::Broad(field) => field.repair(view.as_grid()?, changes, touched, moved),
            Plane::Other { table, posts } => {
                on_world!(view, space => repair(&AnyWays(space), table, posts, touched, moved))
            }
        }
    }

    /// Extends the field until the costs of some nodes are final. Returns whether anything was done, or an error if everything has to be
    /// computed anew with more bits.
    pub fn settle(&mut self, view: &View<'_>, nodes: &[NodeId]) -> Result<bool, Overflow> {
        match (self, view.as_grid()) {
            (Plane::Narrow(field), Some(grid)) => field.settle(grid, nodes),
            (Plane::Broad(field), Some(grid)) => field.settle(grid, nodes),
            (Plane::Other { table, posts }, _) => {
                on_world!(view, space => settle(&AnyWays(space), table, posts, nodes))
            }
            _ => Ok(false),
        }
    }

    /// Computes everything on a grid, with room for costs of any size.
    pub fn build_broad(
        &mut self,
        view: &GridView<'_>,
        starts: impl Iterator<Item = (NodeId, u64)> + Clone,
        extent: Extent,
    ) {
        let mut field = OnGrid::new();
        // 64 bits hold the costs of all paths.
        let _ = field.build(view, starts, extent);
        *self = Plane::Broad(field);
    }

    /// The cost of a node, if it is known to be final.
    #[inline]
    pub fn cost(&self, node: NodeId) -> Option<Cost> {
        match self {
            Plane::Narrow(field) => field.cost(node),
            Plane::Broad(field) => field.cost(node),
            Plane::Other { table, .. } => table.cost(node).map(Cost::from_units),
        }
    }

    /// Whether the agent cannot be at a node.
    pub fn is_wall(&self, node: NodeId) -> bool {
        match self {
            Plane::Narrow(field) => field.table.is_wall(node),
            Plane::Broad(field) => field.table.is_wall(node),
            Plane::Other { table, .. } => table.is_wall(node),
        }
    }

    /// The best steps from a cell of a grid, as a byte.
    #[inline]
    pub fn steps(&self, node: NodeId) -> u8 {
        match self {
            Plane::Narrow(OnGrid { posts, .. }) | Plane::Broad(OnGrid { posts, .. }) => posts.at(node),
            Plane::Other { .. } => 0,
        }
    }

    /// The next node in a world that is no grid.
    #[inline]
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        match self {
            Plane::Narrow(_) | Plane::Broad(_) => None,
            Plane::Other { posts, .. } => {
                posts.0.get(node.index()).copied().filter(|&next| next != NodeId::NONE)
            }
        }
    }

    /// The nodes that the last repair looked at, among them all whose costs changed.
    pub fn changed(&self) -> &[NodeId] {
        match self {
            Plane::Narrow(field) => &field.table.log,
            Plane::Broad(field) => &field.table.log,
            Plane::Other { table, .. } => &table.log,
        }
    }

    /// Whether the best way on from a node is a link.
    pub fn takes(&self, link: Link) -> bool {
        let (Some(here), Some(there)) = (self.cost(link.from), self.cost(link.to)) else { return false };
        here == there + link.cost
            && match self {
                Plane::Narrow(field) => field.takes(link),
                Plane::Broad(field) => field.takes(link),
                Plane::Other { posts, .. } => posts.0[link.from.index()] == link.to,
            }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        match self {
            Plane::Narrow(field) => field.bytes(),
            Plane::Broad(field) => field.bytes(),
            Plane::Other { table, posts } => table.bytes() + posts.0.capacity() * size_of::<NodeId>(),
        }
    }
}

/// Writes down where an agent can stand on a grid.
fn open_cells<W: Word>(view: &GridView<'_>, costs: &mut [W]) {
    for y in 0..view.shape().height() as i32 {
        let first = view.shape().node(Cell { x: 0, y }).index();
        let row = &mut costs[first..first + view.shape().width() as usize];
        for (cells, &open) in row.chunks_mut(64).zip(view.open_cells().row(y)) {
            match open {
                0 => {}
                u64::MAX => cells.fill(W::UNREACHED),
                _ => {
                    for (bit, cost) in cells.iter_mut().enumerate() {
                        *cost = if open >> bit & 1 == 1 { W::UNREACHED } else { W::WALL };
                    }
                }
            }
        }
    }
}

fn build<Y: Ways>(
    ways: &Y,
    table: &mut Table<Y::Word>,
    posts: &mut impl Posts<Y>,
    starts: impl Iterator<Item = (NodeId, u64)>,
    extent: Extent,
    open: impl Fn(&mut [Y::Word]),
) -> Result<(), Overflow> {
    table.set_starts(starts)?;
    table.begin(ways, open);
    posts.begin(ways.bound());
    let end = match extent {
        Extent::Everything => NO_BOUND,
        Extent::Within(cost) => cost.units().saturating_add(1),
        Extent::OnDemand => return Ok(()),
    };
    extend(ways, table, posts, end)
}

/// Makes all costs below a bound final.
fn extend<Y: Ways>(
    ways: &Y,
    table: &mut Table<Y::Word>,
    posts: &mut impl Posts<Y>,
    end: u64,
) -> Result<(), Overflow> {
    table.begin_log(end != NO_BOUND);
    table.run(ways, |_, below| below >= end)?;
    table.bound = end;
    if end == NO_BOUND {
        posts.set_all(ways, table);
    } else {
        set_logged(ways, table, posts);
    }
    Ok(())
}

/// Sets up the signposts of all nodes that were logged.
fn set_logged<Y: Ways>(ways: &Y, table: &mut Table<Y::Word>, posts: &mut impl Posts<Y>) {
    for index in 0..table.log.len() {
        posts.set_at(ways, table, table.log[index]);
    }
}

fn settle<Y: Ways>(
    ways: &Y,
    table: &mut Table<Y::Word>,
    posts: &mut impl Posts<Y>,
    nodes: &[NodeId],
) -> Result<bool, Overflow> {
    let is_final = |costs: &[Y::Word], node: NodeId, below: u64| {
        costs
            .get(node.index())
            .is_none_or(|&cost| cost == Y::Word::WALL || cost.is_cost() && cost.units() < below)
    };
    let bound = table.bound;
    if bound == NO_BOUND {
        return Ok(false);
    }
    let mut asked = std::mem::take(&mut table.asked);
    asked.clear();
    asked.extend(nodes.iter().filter(|&&node| !is_final(&table.costs, node, bound)));
    if asked.is_empty() {
        table.asked = asked;
        return Ok(false);
    }
    table.begin_log(true);
    let below = table.run(ways, |costs, below| {
        while asked.last().is_some_and(|&node| is_final(costs, node, below)) {
            asked.pop();
        }
        asked.is_empty() && below >= bound
    });
    table.asked = asked;
    let below = below?;
    table.bound = below.max(bound);
    set_logged(ways, table, posts);
    Ok(true)
}

fn repair<Y: Ways>(
    ways: &Y,
    table: &mut Table<Y::Word>,
    posts: &mut impl Posts<Y>,
    touched: &Touched,
    moved: Option<impl Iterator<Item = (NodeId, u64)>>,
) -> Option<usize> {
    let most = ways.bound() / MOST_REPAIRED;
    if touched.len() > most.max(64) {
        return None;
    }
    table.queue_all_goals();
    if let Some(starts) = moved {
        table.set_starts(starts).ok()?;
    }
    table.begin_log(true);
    let nodes = touched.better.iter().chain(&touched.worse).copied();
    if !table.retract(ways, nodes.clone(), most.max(64)) {
        return None;
    }
    let end = table.bound;
    table.run(ways, |_, below| below >= end).ok()?;
    let changed = table.log.len();
    nodes.for_each(|node| table.log.push(node));
    if changed > most {
        posts.set_all(ways, table);
    } else {
        posts.set_around(ways, table, &table.log);
    }
    Some(changed)
}
