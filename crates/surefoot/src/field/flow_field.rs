//! Fields of any kind of world.

use crate::cost::{Cost, Scale};
use crate::field::error::FieldError;
use crate::field::goal::{Goal, PlacedGoal};
use crate::field::plane::{Plane, Site};
use crate::field::sights::Sights;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::path::Path;
use crate::world::any::{Numbering, Vantage, View, on_world};
use crate::world::changes::{Changes, Touched};
use crate::world::grid::Direction;
use crate::world::space::SearchSpace;

/// How far a [`FlowField`] extends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Extent {
    /// To every node from which a goal can be reached.
    #[default]
    Everything,
    /// To the nodes from which a goal can be reached at this cost: a range.
    Within(Cost),
    /// As far as [`FlowField::settle`] is asked to.
    OnDemand,
}

/// What [`FlowField::update`] had to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The world has not changed.
    Current,
    /// The field was repaired. As many costs changed, some of them perhaps more than once.
    Repaired(usize),
    /// The field was computed anew.
    Rebuilt,
}

/// How to leave a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The next node.
    pub to: NodeId,
    /// How it is reached.
    pub kind: StepKind,
}

/// How a [`Step`] reaches the next node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// By an ordinary step or edge.
    Walk,
    /// Through a link.
    Link,
    /// The agent cannot stand at the node that it leaves, as after an edit: it has to get out to a place from which a goal can be
    /// reached.
    Escape,
}

/// The way from every node to the nearest of some goals: cost, next node and, on grids, a direction at every position. Many units that
/// share a goal share one field.
///
/// ```
/// use surefoot::field::{FlowField, Goal, Update};
/// use surefoot::prelude::*;
/// let mut grid: Grid = "
///     .....
///     .###.
///     .....".parse().unwrap();
/// let agent = Agent::default();
/// let [start, goal, above, beside] = [(0, 2), (4, 2), (0, 1), (1, 2)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
/// let mut field = FlowField::of(grid.view(&agent), &[Goal::from(goal)]).unwrap();
/// assert_eq!(field.cost(start), Some(Cost::ONE * 4));
/// assert_eq!(field.next(start), Some(beside));
///
/// grid.set(Cell::new(2, 2), Terrain::WALL).unwrap();
/// assert!(!field.is_current(grid.view(&agent)));
/// assert!(matches!(field.update(grid.view(&agent)), Ok(Update::Repaired(_)))); // only what the wall cut off
/// assert_eq!(field.cost(start), Some(Cost::ONE * 8));
/// assert_eq!(field.next(start), Some(above));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FlowField {
    plane: Plane,
    goals: Vec<PlacedGoal>,
    /// Nodes from which a link is best, with its end. Sorted.
    links: Vec<(NodeId, NodeId)>,
    /// Where a straight line leads to a goal.
    sights: Sights,
    origin: Option<Origin>,
    extent: Extent,
    leads_away: bool,
    changes: Changes,
    touched: Touched,
}

/// What a field was computed for.
#[derive(Clone, Copy, Debug)]
struct Origin {
    vantage: Vantage,
    numbering: Numbering,
    scale: Scale,
    site: Option<Site>,
}

impl FlowField {
    /// Computes the field that leads to some goals from everywhere.
    pub fn of<'a>(view: impl Into<View<'a>>, goals: &[Goal]) -> Result<FlowField, FieldError> {
        let mut field = FlowField::default();
        field.rebuild(view, goals, Extent::Everything)?;
        Ok(field)
    }

    /// Computes the field anew, for other goals or in another world, in the memory of this one. After an error the field is empty.
    ///
    /// A goal where the agent cannot stand is [moved](PlacedGoal) to the nearest place where it can.
    pub fn rebuild<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        goals: &[Goal],
        extent: Extent,
    ) -> Result<(), FieldError> {
        let view = view.into();
        self.clear();
        let numbering = view.numbering();
        for goal in goals {
            if !numbering.contains(goal.node) {
                return Err(FieldError::GoalOutside(goal.node));
            }
            if goal.cost > Goal::MAX_COST {
                return Err(FieldError::GoalCost(goal.cost));
            }
        }
        if !on_world!(&view, space => space.has_reverse_edges()) {
            return Err(FieldError::NoWayBack);
        }
        self.goals.extend(goals.iter().map(|&goal| PlacedGoal { goal, at: None }));
        self.extent = extent;
        self.leads_away = false;
        self.compute(&view);
        Ok(())
    }

    /// Forgets everything but the memory.
    fn clear(&mut self) {
        self.goals.clear();
        self.links.clear();
        self.sights.clear();
        self.origin = None;
        self.plane.clear();
    }

    /// Computes everything from the goals.
    fn compute(&mut self, view: &View<'_>) {
        let (vantage, numbering, scale) = (view.vantage(), view.numbering(), view.scale());
        let site = view.as_grid().map(Site::of);
        self.place_goals(view);
        self.plane.build(view, starts(&self.goals), self.extent);
        self.find_links(view);
        self.find_sights(view);
        self.origin = Some(Origin { vantage, numbering, scale, site });
    }

    /// Places the goals. Returns whether one of them is elsewhere than before.
    fn place_goals(&mut self, view: &View<'_>) -> bool {
        let mut has_moved = false;
        for placed in &mut self.goals {
            let at = on_world!(view, space => space.nearest_stand(placed.goal.node));
            has_moved |= at != placed.at;
            placed.at = at;
        }
        has_moved
    }

    fn find_sights(&mut self, view: &View<'_>) {
        let plane = &self.plane;
        if let Some(grid) = view.as_grid().filter(|_| !self.leads_away) {
            self.sights.find(grid, &self.goals, |node| plane.cost(node));
        }
    }

    fn find_links(&mut self, view: &View<'_>) {
        self.links.clear();
        let links = &mut self.links;
        on_world!(view, space => space.for_each_link(|link| {
            if self.plane.takes(link) {
                links.push((link.from, link.to));
            }
        }));
        links.sort_unstable();
        links.dedup_by_key(|link| link.0);
    }

    /// Brings the field up to date with edits of the world. The result is the same as that of a field computed anew, at a cost that
    /// depends on how much changed.
    ///
    /// If the journal of the world no longer reaches back to when the field was computed, it is computed anew.
    pub fn update<'a>(&mut self, view: impl Into<View<'a>>) -> Result<Update, FieldError> {
        let view = view.into();
        let origin = self.origin.as_mut().ok_or(FieldError::NotBuilt)?;
        let vantage = view.vantage();
        if !vantage.has_same_agent(&origin.vantage) {
            return Err(FieldError::AgentChanged);
        }
        if !origin.numbering.is_same(&view.numbering()) {
            return Err(FieldError::OtherWorld);
        }
        if vantage == origin.vantage {
            return Ok(Update::Current);
        }
        if self.leads_away {
            return Err(FieldError::LeadsAway);
        }
        let since = origin.vantage.revision();
        let changes = &mut self.changes;
        if !on_world!(&view, space => space.read_changes(since, changes)) {
            self.compute(&view);
            return Ok(Update::Rebuilt);
        }
        self.changes.settle();
        self.touched.clear();
        let (changes, touched) = (&self.changes, &mut self.touched);
        on_world!(&view, space => space.touched_by(changes, |_| true, touched));
        origin.vantage = vantage;
        // A goal that moves away, or comes back, is like an edge that changes.
        touched.better.extend(self.goals.iter().filter_map(|goal| goal.at));
        let has_moved = self.place_goals(&view);
        if has_moved {
            self.touched.better.extend(self.goals.iter().filter_map(|goal| goal.at));
        }
        let moved = has_moved.then(|| starts(&self.goals));
        let Some(changed) = self.plane.repair(&view, &self.changes, &self.touched, moved) else {
            self.compute(&view);
            return Ok(Update::Rebuilt);
        };
        self.find_links(&view);
        let (plane, goals) = (&self.plane, &self.goals);
        let is_near = |grid| move |&node: &NodeId| Sights::are_near(grid, goals, node);
        if has_moved || view.as_grid().is_some_and(|grid| plane.changed().iter().any(is_near(grid))) {
            self.find_sights(&view);
        }
        Ok(Update::Repaired(changed))
    }

    /// Extends the field until the costs of some nodes are known, or known not to exist. Fields that extend to everything already
    /// know them.
    pub fn settle<'a>(&mut self, view: impl Into<View<'a>>, nodes: &[NodeId]) -> Result<(), FieldError> {
        let view = view.into();
        self.check(view)?;
        if let Ok(done) = self.plane.settle(&view, nodes) {
            if done {
                self.find_links(&view);
                self.find_sights(&view);
            }
            return Ok(());
        }
        // The costs need more bits, so everything begins again.
        if let Some(grid) = view.as_grid() {
            self.plane.build_broad(grid, starts(&self.goals), self.extent);
        }
        self.settle(view, nodes)
    }

    /// Returns whether the field is that of this world, as it is now, and of this agent.
    pub fn is_current<'a>(&self, view: impl Into<View<'a>>) -> bool {
        self.check(view).is_ok()
    }

    /// Whether the field is that of this agent, in a world with these nodes.
    pub(super) fn is_for(&self, view: &View<'_>) -> bool {
        let is_same = |origin: &Origin| {
            view.vantage().has_same_agent(&origin.vantage) && view.numbering().is_same(&origin.numbering)
        };
        self.origin.as_ref().is_some_and(is_same)
    }

    /// Says why the field is not that of this world, as it is now, and of this agent.
    pub fn check<'a>(&self, view: impl Into<View<'a>>) -> Result<(), FieldError> {
        let (vantage, origin) = (view.into().vantage(), self.origin.as_ref().ok_or(FieldError::NotBuilt)?);
        if vantage.revision() != origin.vantage.revision() {
            return Err(FieldError::WorldChanged);
        }
        if vantage.has_same_agent(&origin.vantage) { Ok(()) } else { Err(FieldError::AgentChanged) }
    }

    /// Returns the goals and where they were placed.
    pub fn goals(&self) -> &[PlacedGoal] {
        &self.goals
    }

    /// Returns the cost of the cheapest path from a node to a goal, with the starting value of the goal. `None` if no goal can be
    /// reached, or if the field does not extend so far.
    #[inline]
    pub fn cost(&self, node: NodeId) -> Option<Cost> {
        self.plane.cost(node)
    }

    /// Returns whether a goal can be reached from a node within the extent of the field.
    #[inline]
    pub fn reaches(&self, node: NodeId) -> bool {
        self.cost(node).is_some()
    }

    /// Returns whether a path ends at a node: a goal that is not cheaper to reach another goal from.
    pub fn is_goal(&self, node: NodeId) -> bool {
        self.reaches(node) && self.step(node).is_none()
    }

    /// Returns the next node of a cheapest path from a node. `None` at goals and where no goal can be reached.
    ///
    /// Of several best steps, the first in the order of the world's edges is taken, and links only where no other step is best.
    #[inline]
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.step(node).map(|step| step.to)
    }

    /// Returns how to leave a node, as [`next`](FlowField::next) does, and whether that is through a link.
    ///
    /// On grids, a unit at a cell where it cannot stand, such as one that became a wall, is led to the nearest cell around from which a
    /// goal can be reached: straight neighbours before diagonal ones, then cheaper ones before others.
    pub fn step(&self, node: NodeId) -> Option<Step> {
        let walk = |to| Step { to, kind: StepKind::Walk };
        let steps = self.plane.steps(node);
        if steps != 0 {
            let offset = self.site()?.offsets[steps.trailing_zeros() as usize % 8];
            return Some(walk(NodeId(node.0.wrapping_add_signed(offset))));
        }
        if let Ok(at) = self.links.binary_search_by_key(&node, |link| link.0) {
            return Some(Step { to: self.links[at].1, kind: StepKind::Link });
        }
        let next = self.plane.next(node).map(walk);
        next.or_else(|| self.escape(node).map(|to| Step { to, kind: StepKind::Escape }))
    }

    /// The nearest cell around a cell where the agent cannot stand.
    fn escape(&self, node: NodeId) -> Option<NodeId> {
        let origin = self.origin?;
        if !origin.numbering.contains(node) || !self.plane.is_wall(node) {
            return None;
        }
        let site = origin.site.as_ref()?;
        let cell = site.shape.cell(node);
        let mut best = None;
        for ring in 1..=site.reach + 1 {
            for dy in -ring..=ring {
                let is_end = dy.abs() == ring;
                let mut visit = |dx: i32| {
                    let beside = cell.offset(dx, dy);
                    if site.shape.contains(beside)
                        && let node = site.shape.node(beside)
                        && let Some(cost) = self.cost(node)
                    {
                        let key = (dx * dx + dy * dy, cost, node);
                        best = best.filter(|&known| known < key).or(Some(key));
                    }
                };
                if is_end {
                    (-ring..=ring).for_each(visit);
                } else {
                    [-ring, ring].into_iter().for_each(&mut visit);
                }
            }
            if best.is_some_and(|(squares, _, _)| squares <= (ring + 1) * (ring + 1)) {
                break;
            }
        }
        best.map(|(_, _, node)| node)
    }

    /// Returns the nodes of a cheapest path from a node to a goal, both included; nothing where no goal can be reached.
    pub fn trace(&self, from: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.reaches(from).then_some(from);
        std::iter::successors(first, |&node| self.next(node))
    }

    /// Returns the path from a node to a goal. The view must show the world and the agent of the field.
    pub fn path_from<'a>(&self, view: impl Into<View<'a>>, from: NodeId) -> Result<Path, FieldError> {
        let view = view.into();
        self.check(view)?;
        if !self.reaches(from) {
            return Err(FieldError::NotReached);
        }
        let mut path = Path::default();
        path.rewrite(&view, |nodes| nodes.extend(self.trace(from)));
        Ok(path)
    }

    /// Returns the directions of all best steps from a cell of a grid, lowest first; none elsewhere, at goals, and where only a link is
    /// best.
    pub fn directions(&self, node: NodeId) -> impl Iterator<Item = Direction> + use<> {
        let steps = self.plane.steps(node);
        Direction::ALL.into_iter().filter(move |direction| steps & direction.bit() != 0)
    }

    /// The grid of the field.
    pub(super) fn site(&self) -> Option<&Site> {
        self.origin.as_ref().and_then(|origin| origin.site.as_ref())
    }

    /// The best steps from a cell of a grid, as a byte.
    #[inline]
    pub(super) fn steps(&self, node: NodeId) -> u8 {
        self.plane.steps(node)
    }

    /// Whether the agent cannot be at a node.
    pub(super) fn is_wall(&self, node: NodeId) -> bool {
        self.plane.is_wall(node)
    }

    pub(super) fn sights(&self) -> &Sights {
        &self.sights
    }

    /// Turns this into the field that leads away from the goals of another: each node starts with its cost there times a negative
    /// factor, `-factor`, and from there costs are computed as usual. With a factor of about 1.2, units do not stop in the nearest dead
    /// end, but run past the goals where that leads farther away. Paths end where nowhere better can be reached.
    ///
    /// Costs are counted from the safest place, so they are never negative. The field is not updated: when the other one has been,
    /// it is made again.
    ///
    /// ```
    /// use surefoot::field::{FlowField, Goal};
    /// use surefoot::prelude::*;
    /// let grid: Grid = ".......".parse().unwrap();
    /// let node = |x| grid.node(Cell::new(x, 0)).unwrap();
    /// let (view, mut away) = (grid.view(&Agent::default()), FlowField::default());
    /// away.lead_away(view, &FlowField::of(view, &[Goal::from(node(2))]).unwrap(), 1.2).unwrap();
    /// assert_eq!(away.trace(node(3)).last(), Some(node(6)));
    /// ```
    pub fn lead_away<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        from: &FlowField,
        factor: f64,
    ) -> Result<(), FieldError> {
        let view = view.into();
        self.clear();
        if !(1.0..=16.0).contains(&factor) {
            return Err(FieldError::BadFactor);
        }
        from.check(view)?;
        let units = |cost: Cost| (cost.units() as f64 * factor).round() as u64;
        let nodes = || (0..on_world!(&view, space => Graph::node_bound(space)) as u32).map(NodeId);
        let most = nodes().filter_map(|node| from.cost(node)).max().unwrap_or_default();
        if units(most) > Goal::MAX_COST.units() {
            return Err(FieldError::GoalCost(most));
        }
        for node in nodes() {
            if let Some(cost) = from.cost(node) {
                let goal = Goal { node, cost: Cost::from_units(units(most) - units(cost)) };
                self.goals.push(PlacedGoal { goal, at: None });
            }
        }
        (self.extent, self.leads_away) = (Extent::Everything, true);
        self.compute(&view);
        Ok(())
    }

    /// Returns the scale of the costs; `None` if the field has not been built.
    pub fn scale(&self) -> Option<Scale> {
        self.origin.map(|origin| origin.scale)
    }

    /// Returns the bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.plane.bytes()
            + self.goals.capacity() * size_of::<PlacedGoal>()
            + self.links.capacity() * size_of::<(NodeId, NodeId)>()
            + self.sights.bytes()
            + self.changes.bytes()
            + (self.touched.better.capacity() + self.touched.worse.capacity()) * size_of::<NodeId>()
    }
}

/// The nodes that a field starts from, with their starting values.
fn starts(goals: &[PlacedGoal]) -> impl Iterator<Item = (NodeId, u64)> + Clone + '_ {
    goals.iter().filter_map(|placed| placed.at.map(|at| (at, placed.goal.cost.units())))
}
