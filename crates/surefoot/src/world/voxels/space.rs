//! Voxel worlds as seen by searches, planners, paths and subscriptions.

use crate::agent::VoxelMoves;
use crate::core::estimate::{Anchored, Blind, Weight, WithSearch};
use crate::core::expand::{ArrivalSteps, Expander};
use crate::core::heuristic::Heuristic;
use crate::core::outcome::Why;
use crate::cost::{Cost, Scale};
use crate::graph::{Located, Sight};
use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::any::{AgentKey, Numbering, Scratch};
use crate::world::changes::{Changes, Touched};
use crate::world::grid::Terrain;
use crate::world::journal::Revision;
use crate::world::nearest::Reach;
use crate::world::paper::{Area, Chance, Chart, Place, Price};
use crate::world::space::{EstimateSpec, Measure, SearchSpace, WithSight, WithTwoSides};
use crate::world::voxels::estimate::{SpaceFlight, SpaceLineTo, SpaceStepsTo, VoxelFlyer};
use crate::world::voxels::{Components, UniformVoxels, VoxelView, Voxels, cost_along};

impl VoxelView<'_> {
    fn are_joined(&self, components: &Components, from: NodeId, to: NodeId) -> bool {
        let label = |node| components.of(self.voxels().voxel(node));
        label(from).is_some() && label(from) == label(to)
    }
}

impl SearchSpace for VoxelView<'_> {
    fn numbering(&self) -> Numbering {
        Numbering::Voxels(*self.shape())
    }

    fn revision(&self) -> Revision {
        self.voxels().revision()
    }

    fn agent_key(&self) -> AgentKey {
        AgentKey::InSpace(self.policy())
    }

    fn scale(&self) -> Scale {
        VoxelView::scale(self)
    }

    fn most_units_a_cell(&self) -> f64 {
        (1..4).map(|axes| cost_along(axes).units() as f64 / (axes as f64).sqrt()).fold(0.0, f64::max)
    }

    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        self.is_open_node(node)
    }

    fn stands_smallest(&self, node: NodeId) -> bool {
        self.of_smallest_agent().is_open_node(node)
    }

    fn reach(&self, from: NodeId, to: NodeId) -> Reach {
        match self.components() {
            Some(components) if !self.are_joined(components, from, to) => Reach::Disconnected,
            // Where components are not known, only a search can tell.
            _ => Reach::Connected,
        }
    }

    fn has_reach_at_hand(&self) -> bool {
        self.layer().has_components()
    }

    fn make_reach(&self) {
        self.components_at_any_price();
    }

    fn smaller_agent_could(&self, from: NodeId, to: NodeId) -> bool {
        let small = self.of_smallest_agent();
        !self.fits_everywhere() && small.are_joined(small.components_at_any_price(), from, to)
    }

    fn why_exhausted(&self, start: NodeId, goals: &[NodeId]) -> Why {
        // Components of a large world may be unknown.
        let narrow = goals.iter().any(|&goal| self.smaller_agent_could(start, goal));
        if narrow { Why::TooNarrow } else { Why::Disconnected }
    }

    fn nearest_stand(&self, node: NodeId) -> Option<NodeId> {
        if self.is_open_node(node) {
            return Some(node);
        }
        let point = self.nearest_clear_point(self.position(node))?;
        self.voxels().node(self.voxels().frame().voxel_at(point)).filter(|&node| self.is_open_node(node))
    }

    fn instead(&self, start: NodeId, goal: NodeId) -> Option<NodeId> {
        let (voxels, components) = (self.voxels(), self.components()?);
        let label = components.of(voxels.voxel(start))?;
        components.nearest(self.shape(), label, voxels.voxel(goal)).and_then(|voxel| voxels.node(voxel))
    }

    fn max_edge_cost(&self) -> Cost {
        cost_along(3)
    }

    fn edges_cost_the_same(&self) -> bool {
        self.moves() == VoxelMoves::Six
    }

    fn fault_of(&self, heuristic: Heuristic) -> Option<String> {
        heuristic.fault_in_space(self)
    }

    fn has_triangles(&self) -> bool {
        true
    }

    #[inline]
    fn with_search<E: Expander, W: WithSearch>(
        &self,
        expander: &E,
        spec: &EstimateSpec<'_>,
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        // Every step can be reversed, so both sides are the same.
        let EstimateSpec { heuristic, weight, goals, .. } = *spec;
        if heuristic == Heuristic::Zero {
            return then.go_on(expander, &Blind);
        }
        let (flight, shape) = (SpaceFlight::new(heuristic, self.moves()), *self.shape());
        if let ([goal], SpaceFlight::Steps { straight, diagonal, cubic }) = (goals, flight) {
            let [straight, diagonal, cubic] = [straight, diagonal, cubic].map(|units| weight.times(units));
            let goal = shape.voxel(*goal);
            return then.go_on(expander, &SpaceStepsTo { shape, goal, straight, diagonal, cubic });
        }
        if let ([goal], SpaceFlight::Line { unit }) = (goals, flight) {
            return then.go_on(expander, &SpaceLineTo { shape, goal: shape.voxel(*goal), unit, weight });
        }
        let flyer = VoxelFlyer::new(heuristic, self);
        let no_links = std::iter::empty();
        then.go_on(expander, &Anchored::new(flyer, weight, goals, no_links, &mut scratch.voxels[0]))
    }

    #[inline]
    fn with_pruned<W: WithSearch>(&self, spec: &EstimateSpec<'_>, scratch: &mut Scratch, then: W) -> W::Out {
        let mut steps = std::mem::take(&mut scratch.steps);
        steps.begin(self.moves());
        let expander = &UniformVoxels::new(*self, &steps);
        let out = self.with_search(expander, spec, scratch, then);
        scratch.steps = steps;
        out
    }

    fn pruned_steps(&self) -> Option<ArrivalSteps> {
        Some(UniformVoxels::arrival_steps_of(self))
    }

    fn with_two_sides<W: WithTwoSides>(
        &self,
        heuristic: Heuristic,
        (start, goals): (NodeId, &[NodeId]),
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        let [ahead, behind] = &mut scratch.voxels;
        let flyer = || VoxelFlyer::new(heuristic, self);
        let no_links = std::iter::empty;
        let to_goal = Anchored::new(flyer(), Weight::ONE, goals, no_links(), ahead);
        let from_start = Anchored::new(flyer(), Weight::ONE, &[start], no_links(), behind);
        then.go_on(self, self, [&to_goal, &from_start], self.is_consistent(heuristic))
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn with_sight<W: WithSight>(&self, then: W) -> W::Out {
        then.go_on(self)
    }

    fn fault_of_lines(&self) -> Option<&'static str> {
        None
    }

    fn measure(&self, nodes: &[NodeId], lines: bool, _jumps: &mut Vec<usize>) -> Measure {
        let place = |node| self.voxels().voxel(node);
        let mut sum = Measure::default();
        if lines {
            for pair in nodes.windows(2) {
                let (a, b) = (place(pair[0]), place(pair[1]));
                let (dx, dy, dz) = (f64::from(b.x - a.x), f64::from(b.y - a.y), f64::from(b.z - a.z));
                sum.units += self.line(pair[0], pair[1]);
                sum.length += (dx * dx + dy * dy + dz * dz).sqrt();
            }
        } else {
            // By how many axes a step goes along.
            let mut steps = [0_u64; 4];
            for pair in nodes.windows(2) {
                let (a, b) = (place(pair[0]), place(pair[1]));
                let axes = [a.x != b.x, a.y != b.y, a.z != b.z].into_iter().filter(|moved| *moved).count();
                steps[axes] += 1;
            }
            sum.units = (1..4).map(|axes| cost_along(axes) * steps[axes]).sum();
            sum.length = (1..4).map(|axes| steps[axes] as f64 * (axes as f64).sqrt()).sum();
        }
        Measure { cost: sum.length, ..sum }
    }

    fn goes_straight(&self, nodes: [NodeId; 3]) -> bool {
        let [before, at, after] = nodes.map(|node| self.voxels().voxel(node));
        let delta = |a: Voxel, b: Voxel| [b.x - a.x, b.y - a.y, b.z - a.z];
        delta(before, at) == delta(at, after)
    }

    fn edge_between(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        self.step_between(from, to)
    }

    fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool {
        self.voxels().read_changes(since, changes)
    }

    fn touched_by(&self, changes: &Changes, knows: impl Fn(NodeId) -> bool, touched: &mut Touched) -> bool {
        for change in changes.cells() {
            touched.near(change.is_worse(), &knows, |visit| self.nodes_near(change.node, visit));
        }
        touched.settle();
        false
    }

    fn chart(&self) -> Chart {
        let [columns, rows, _] = self.voxels().size();
        Chart::of_cells(columns, rows)
    }

    fn place(&self, _chart: &Chart, node: NodeId) -> Place {
        let Voxel { x, y, .. } = self.voxels().voxel(node);
        Place { x: x as u16, y: y as u16 }
    }

    fn price(&self, _chart: &Chart) -> Price {
        // Seen from above, a path through space is no longer than it is.
        let straight = cost_along(1).units();
        let diagonal = if self.moves() == VoxelMoves::Six { 2 * straight } else { cost_along(2).units() };
        Price::Steps { straight, diagonal }
    }

    fn for_each_suspect(&self, changes: &Changes, mut visit: impl FnMut(NodeId, i32)) {
        for change in changes.cells() {
            self.nodes_near(change.node, |node| visit(node, 0));
        }
    }

    fn chances(&self, changes: &Changes, chart: &Chart, _doors: bool, chances: &mut Vec<Chance>) {
        let opened = changes.cells().iter().filter(|change| !change.new.is_wall());
        chances.extend(opened.map(|change| {
            let reach = VoxelView::reach(self);
            let area = Area::from(self.place(chart, change.node)).grown(reach, reach);
            // Past an edge or a corner of what opened, rather than over its middle: no more than that is saved.
            let extra = -4 * cost_along(3).units() as i64;
            Chance { from: area, to: area, extra, toll: 0 }
        }));
    }
}

impl Voxels {
    /// Reads what changed since a moment; `false` if that is not known any more.
    pub(crate) fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool {
        changes.clear();
        let Some(recorded) = self.journal().since(since) else { return false };
        for change in recorded {
            let [old, new] =
                if change.solid { [Terrain::FLOOR, Terrain::WALL] } else { [Terrain::WALL, Terrain::FLOOR] };
            changes.cell(change.node, old, new);
        }
        true
    }
}
