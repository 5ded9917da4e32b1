//! Grids as seen by searches, planners, paths and subscriptions.

use crate::agent::Moves;
use crate::core::estimate::{Anchored, Blind, MANY_LINKS, Weight, WithSearch, seen_from};
use crate::core::expand::{ArrivalSteps, Expander};
use crate::core::heuristic::Heuristic;
use crate::core::outcome::Why;
use crate::cost::{Cost, Scale};
use crate::graph::{Located, Reversed};
use crate::id::NodeId;
use crate::world::any::{AgentKey, Numbering, Scratch};
use crate::world::changes::{CellChange, Changes, Touched};
use crate::world::grid::estimate::{Flight, GridFlyer, LineTo, StepsTo, cheapest_steps};
use crate::world::grid::{GridChange, GridView, UniformGrid};
use crate::world::journal::Revision;
use crate::world::links::Link;
use crate::world::nearest::{Reach, nearest_open, nearest_reachable, reachable};
use crate::world::paper::{Area, Blocks, Chance, Chart, Place, Price};
use crate::world::space::{EstimateSpec, Measure, SearchSpace, WithSight, WithTwoSides};

impl GridView<'_> {
    /// Calls `visit` for every cell at most `distance` columns and rows from a cell.
    pub(crate) fn for_each_near(&self, node: NodeId, distance: i32, mut visit: impl FnMut(NodeId)) {
        let cell = self.grid().cell(node);
        for (dx, dy) in (-distance..=distance).flat_map(|dy| (-distance..=distance).map(move |dx| (dx, dy))) {
            if let Some(node) = self.grid().node(cell.offset(dx, dy)) {
                visit(node);
            }
        }
    }

    /// How far a change of a cell reaches: steps of its neighbours depend on it, and a wall that comes or goes decides
    /// where the agent can stand up to its radius away.
    pub(crate) fn reach_of(&self, change: &CellChange) -> i32 {
        1 + if change.flips() { self.reach() } else { 0 }
    }

    /// Where a change of a cell may make paths cheaper, if it does.
    fn chance_at(&self, change: &CellChange, cell: Area, price: Price, doors: bool) -> Option<Chance> {
        let CellChange { node, old, new, .. } = *change;
        if new.is_wall() || !old.is_wall() && new > old {
            return None;
        }
        let has_corners = matches!(self.moves(), Moves::Eight | Moves::EightOne);
        if old.is_wall() && (self.reach() > 0 || has_corners) {
            // Cells around it may have opened, and a diagonal step past each of these: from one neighbour to another, which may
            // be cheaper than over the cell itself by as much as diagonals save.
            let area = cell.grown(self.reach(), self.reach());
            return Some(Chance {
                from: area,
                to: area,
                extra: -(price.saved_by_diagonal() as i64),
                toll: 0,
            });
        }
        if !self.is_open_node(node) {
            return None;
        }
        // The estimate takes the cell for as cheap as any. A path that arrives through a link does not pay for entering it.
        let [straight, _] = self.step_costs();
        let (cheapest, here) = (self.grid().cheapest_terrain().cost(), new.cost());
        let increased = straight.of(cheapest, here) + straight.of(here, cheapest);
        let level = straight.of(cheapest, cheapest) * 2;
        let toll = if doors { 0 } else { (increased - level).units() };
        Some(Chance { from: cell, to: cell, extra: 0, toll })
    }

    /// The same ends and estimates, walked forward and backward.
    fn with_sides<F: Expander + Sync, B: Expander + Sync, W: WithTwoSides>(
        &self,
        (forward, backward): (&F, &B),
        heuristic: Heuristic,
        (start, goals): (NodeId, &[NodeId]),
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        let exact = heuristic.is_consistent(self);
        if let [goal] = *goals
            && self.grid().links().is_empty()
            && let Some(to_goal) = StepsTo::new(heuristic, Weight::ONE, self, goal)
            && let Some(from_start) = StepsTo::new(heuristic, Weight::ONE, self, start)
        {
            return then.go_on(forward, backward, [&to_goal, &from_start], exact);
        }
        let [ahead, behind] = &mut scratch.cells;
        let flyer = || GridFlyer::new(heuristic, self);
        let to_goal = Anchored::new(flyer(), Weight::ONE, goals, self.usable_links(), ahead);
        let reversed = self.usable_links().map(Link::reversed);
        let from_start = Anchored::new(flyer(), Weight::ONE, &[start], reversed, behind);
        then.go_on(forward, backward, [&to_goal, &from_start], exact)
    }
}

impl SearchSpace for GridView<'_> {
    fn numbering(&self) -> Numbering {
        Numbering::Grid(*self.shape())
    }

    fn revision(&self) -> Revision {
        self.grid().revision()
    }

    fn agent_key(&self) -> AgentKey {
        AgentKey::OnGrid(self.policy())
    }

    fn scale(&self) -> Scale {
        GridView::scale(self)
    }

    fn most_units_a_cell(&self) -> f64 {
        // Whatever the terrain and its rule, the cost of a step is a whole number of halves of a straight and a diagonal step.
        let metric = self.metric();
        let straight = metric.straight().units() as f64 / metric.straight_cells();
        let diagonal = metric.diagonal().units() as f64 / metric.diagonal_cells();
        let steps = if self.moves().has_diagonals() { straight.max(diagonal) } else { straight };
        let links = self.scale().units_per_cell() as f64;
        if self.grid().links().is_empty() { steps } else { steps.max(links) }
    }

    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        self.is_open_node(node)
    }

    fn stands_smallest(&self, node: NodeId) -> bool {
        self.of_smallest_agent().is_open_node(node)
    }

    fn reach(&self, from: NodeId, to: NodeId) -> Reach {
        reachable(self, from, to)
    }

    fn smaller_agent_could(&self, from: NodeId, to: NodeId) -> bool {
        reachable(&self.of_smallest_agent(), from, to) == Reach::Connected
    }

    fn why_exhausted(&self, _start: NodeId, _goals: &[NodeId]) -> Why {
        // Components rule out all else; they do not see which way links lead.
        Why::OneWay
    }

    fn instead(&self, start: NodeId, goal: NodeId) -> Option<NodeId> {
        let grid = self.grid();
        nearest_reachable(self, grid.cell(start), grid.cell(goal)).and_then(|cell| grid.node(cell))
    }

    fn nearest_stand(&self, node: NodeId) -> Option<NodeId> {
        if self.is_open_node(node) {
            return Some(node);
        }
        nearest_open(self, self.position(node)).and_then(|cell| self.grid().node(cell))
    }

    fn max_edge_cost(&self) -> Cost {
        self.max_step_cost()
    }

    fn edges_cost_the_same(&self) -> bool {
        self.grid().uniform_terrain().is_some_and(|terrain| {
            let [straight, diagonal] = self.level_steps(terrain);
            let steps_alike = !self.moves().has_diagonals() || straight == diagonal;
            steps_alike && self.grid().links().iter().all(|link| link.cost == straight)
        })
    }

    fn fault_of(&self, heuristic: Heuristic) -> Option<String> {
        heuristic.fault(self)
    }

    fn is_consistent(&self, heuristic: Heuristic) -> bool {
        heuristic.is_consistent(self)
    }

    fn has_triangles(&self) -> bool {
        // One box for very many links has no such thing: which links it holds depends on the target.
        self.grid().links().len() <= MANY_LINKS
    }

    fn basis(&self) -> [u64; 2] {
        cheapest_steps(self)
    }

    #[inline]
    fn with_search<E: Expander, W: WithSearch>(
        &self,
        expander: &E,
        spec: &EstimateSpec<'_>,
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        let EstimateSpec { heuristic, weight, side, goals } = *spec;
        if heuristic == Heuristic::Zero {
            return then.go_on(expander, &Blind);
        }
        if let [goal] = *goals
            && self.grid().links().is_empty()
        {
            if let Some(estimate) = StepsTo::new(heuristic, weight, self, goal) {
                return then.go_on(expander, &estimate);
            }
            if let Flight::Line { unit } = Flight::new(heuristic, self) {
                return then.go_on(expander, &LineTo::new(self, goal, unit, weight));
            }
        }
        let flyer = GridFlyer::new(heuristic, self);
        let links = self.usable_links().map(|link| seen_from(side, link));
        then.go_on(expander, &Anchored::new(flyer, weight, goals, links, &mut scratch.cells[0]))
    }

    #[inline]
    fn with_pruned<W: WithSearch>(&self, spec: &EstimateSpec<'_>, scratch: &mut Scratch, then: W) -> W::Out {
        match UniformGrid::of(*self) {
            Some(expander) => self.with_search(&expander, spec, scratch, then),
            None => self.with_search(self, spec, scratch, then),
        }
    }

    fn pruned_steps(&self) -> Option<ArrivalSteps> {
        UniformGrid::of(*self).and_then(|uniform| uniform.arrival_steps())
    }

    fn with_two_sides<W: WithTwoSides>(
        &self,
        heuristic: Heuristic,
        ends: (NodeId, &[NodeId]),
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        match UniformGrid::of(*self) {
            Some(uniform) => self.with_sides((&uniform, &uniform), heuristic, ends, scratch, then),
            None => self.with_sides((self, &Reversed(self)), heuristic, ends, scratch, then),
        }
    }

    fn two_sided_steps(&self) -> Option<ArrivalSteps> {
        self.pruned_steps()
    }

    fn is_symmetric(&self) -> bool {
        UniformGrid::of(*self).is_some()
    }

    fn with_sight<W: WithSight>(&self, then: W) -> W::Out {
        then.go_on(self)
    }

    fn fault_of_lines(&self) -> Option<&'static str> {
        self.grid().unevenness()
    }

    fn measure(&self, nodes: &[NodeId], lines: bool, jumps: &mut Vec<usize>) -> Measure {
        if lines { self.measure_lines(nodes) } else { self.measure_steps(nodes, jumps) }
    }

    fn goes_straight(&self, [before, at, after]: [NodeId; 3]) -> bool {
        let direction = self.direction_between(before, at);
        direction.is_some() && direction == self.direction_between(at, after)
    }

    fn edge_between(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        if !self.numbering().contains(from) || !self.is_open_node(from) {
            return None;
        }
        let step = self.step_between(from, to);
        let links = self.grid().links();
        let cheapest = links.get(links.partition_point(|link| (link.from, link.to) < (from, to)));
        let link = cheapest.filter(|link| (link.from, link.to) == (from, to)).map(|link| link.cost);
        step.into_iter().chain(link).min()
    }

    fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool {
        self.grid().read_changes(since, changes)
    }

    fn touched_by(&self, changes: &Changes, knows: impl Fn(NodeId) -> bool, touched: &mut Touched) -> bool {
        let grid = self.grid();
        if grid.links().is_empty() && !changes.has_links() {
            for change in changes.cells() {
                let reach = self.reach_of(change);
                touched
                    .near(change.is_worse(), &knows, |visit| self.for_each_near(change.node, reach, visit));
            }
            touched.settle();
            return false;
        }
        let touched = &mut touched.better;
        for change in changes.cells() {
            self.for_each_near(change.node, self.reach_of(change), |node| touched.push(node));
        }
        touched.extend(changes.links().iter().flat_map(|(link, _)| [link.from, link.to]));
        touched.sort_unstable();
        touched.dedup();
        // An end that opens or closes decides whether a link can be used.
        let flips = changes.cells().iter().any(CellChange::flips);
        let links = changes.has_links() || flips && !grid.links().is_empty();
        if links {
            // A link can be used only where the agent can stand at both ends: what happens to one matters to the other.
            let is_touched = |node: &NodeId| touched.binary_search(node).is_ok();
            let ends = grid.links().iter().map(|link| [link.from, link.to]);
            let mut others: Vec<NodeId> = ends.filter(|ends| ends.iter().any(is_touched)).flatten().collect();
            touched.append(&mut others);
            touched.sort_unstable();
            touched.dedup();
        }
        links
    }

    fn blocks(&self) -> Blocks {
        Blocks::Squares(*self.shape())
    }

    fn chart(&self) -> Chart {
        Chart::of_cells(self.grid().width(), self.grid().height())
    }

    fn place(&self, _chart: &Chart, node: NodeId) -> Place {
        Place::of(self.grid().cell(node))
    }

    fn price(&self, _chart: &Chart) -> Price {
        let [straight, diagonal] = cheapest_steps(self);
        let two = 2 * straight;
        let diagonal = if self.moves() == Moves::Four { two } else { diagonal.min(two) };
        Price::Steps { straight, diagonal }
    }

    fn for_each_link(&self, visit: impl FnMut(Link)) {
        self.grid().links().iter().copied().for_each(visit);
    }

    fn for_each_suspect(&self, changes: &Changes, mut visit: impl FnMut(NodeId, i32)) {
        for change in changes.cells() {
            visit(change.node, self.reach_of(change));
        }
        for (link, _) in changes.links() {
            visit(link.from, 0);
        }
    }

    fn chances(&self, changes: &Changes, chart: &Chart, doors: bool, chances: &mut Vec<Chance>) {
        let price = self.price(chart);
        let area = |node| Area::from(self.place(chart, node));
        let cells = changes.cells().iter();
        chances.extend(cells.filter_map(|change| self.chance_at(change, area(change.node), price, doors)));
        let added = changes.links().iter().filter(|(_, more)| *more > 0);
        chances.extend(added.map(|(link, _)| Chance::of_link(*link, area)));
    }
}

impl crate::world::grid::Grid {
    /// Reads what changed since a moment; `false` if that is not known any more.
    pub(crate) fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool {
        changes.clear();
        let Some(recorded) = self.journal().since(since) else { return false };
        for change in recorded {
            match change {
                GridChange::Terrain { node, old, new } => changes.cell(node, old, new),
                GridChange::LinkAdded(link) => changes.link(link, 1),
                GridChange::LinkRemoved(link) => changes.link(link, -1),
            }
        }
        true
    }

    /// Makes the changes that were made to another copy of the grid.
    pub(crate) fn replay(&mut self, changes: &Changes) {
        let cells = changes.cells().iter();
        let edits: Vec<_> = cells.map(|change| (self.cell(change.node), change.new)).collect();
        // All of them are in the other copy, so they fit into this one.
        let _ = self.set_many(edits);
        for &(link, more) in changes.links() {
            for _ in more..0 {
                self.remove_link(link);
            }
        }
        for &(link, more) in changes.links() {
            for _ in 0..more {
                let _ = self.add_link(self.cell(link.from), self.cell(link.to), link.cost);
            }
        }
    }
}
