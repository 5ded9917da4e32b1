//! Cost and length of a path over a grid.

use crate::cost::Cost;
use crate::graph::{Graph, Sight};
use crate::id::NodeId;
use crate::world::grid::{Direction, GridView, Terrain};
use crate::world::space::Measure;

impl GridView<'_> {
    /// The direction of a step between neighbours.
    pub(super) fn direction_between(&self, from: NodeId, to: NodeId) -> Option<Direction> {
        let (a, b) = (self.grid().cell(from), self.grid().cell(to));
        Direction::of(b.x - a.x, b.y - a.y)
    }

    /// Adds up steps, and collects those that are links.
    pub(super) fn measure_steps(&self, nodes: &[NodeId], jumps: &mut Vec<usize>) -> Measure {
        match self.grid().uniform_terrain() {
            Some(terrain) if self.grid().links().is_empty() => self.measure_on_level(nodes, terrain),
            _ => self.measure_on_terrain(nodes, jumps),
        }
    }

    /// Lines lead over ground that costs the same everywhere.
    pub(super) fn measure_lines(&self, nodes: &[NodeId]) -> Measure {
        let mut sum = Measure::default();
        for pair in nodes.windows(2) {
            let (a, b) = (self.grid().cell(pair[0]), self.grid().cell(pair[1]));
            let (dx, dy) = (f64::from(b.x - a.x), f64::from(b.y - a.y));
            sum.units += self.line(pair[0], pair[1]);
            sum.length += (dx * dx + dy * dy).sqrt();
        }
        let [halves, _] = self.level_halves(self.grid().cheapest_terrain(), false);
        sum.cost = sum.length * (halves as f64 / 2.0 * self.metric().straight_cells());
        sum
    }

    /// Where all steps of a kind cost the same, they are counted without a look at the map.
    fn measure_on_level(&self, nodes: &[NodeId], terrain: Terrain) -> Measure {
        let stride = self.shape().stride();
        let is_straight =
            |pair: &[NodeId]| matches!(pair[0].0.abs_diff(pair[1].0), d if d == 1 || d == stride);
        let straights = nodes.windows(2).filter(|pair| is_straight(pair)).count() as u64;
        let diagonals = nodes.len().saturating_sub(1) as u64 - straights;
        let [straight, diagonal] = self.level_steps(terrain);
        let units = straight * straights + diagonal * diagonals;
        let [across, _] = self.level_halves(terrain, false);
        let [beside, along] = self.level_halves(terrain, true);
        let cost = (straights * across + diagonals * beside) as f64 / 2.0 * self.metric().straight_cells()
            + (diagonals * along) as f64 / 2.0 * self.metric().diagonal_cells();
        let length = straights as f64 + diagonals as f64 * std::f64::consts::SQRT_2;
        Measure { units, cost, length }
    }

    fn measure_on_terrain(&self, nodes: &[NodeId], jumps: &mut Vec<usize>) -> Measure {
        // Half straight and half diagonal lengths, so that the mean of two terrain costs stays whole.
        let (mut straight_halves, mut diagonal_halves) = (0, 0);
        let (mut straights, mut diagonals) = (0_u32, 0_u32);
        let (mut sum, mut links) = (Cost::ZERO, Cost::ZERO);
        for (index, pair) in nodes.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let direction = self.direction_between(from, to);
            let units = self.cheapest_edge(from, to);
            sum += units;
            let step = direction.map(|direction| (direction, self.step_halves(from, to, direction)));
            let Some((direction, [straight, diagonal])) =
                step.filter(|(direction, _)| self.step_units(from, to, *direction) == Some(units))
            else {
                links += units;
                jumps.push(index);
                continue;
            };
            straight_halves += straight;
            diagonal_halves += diagonal;
            straights += u32::from(!direction.is_diagonal());
            diagonals += u32::from(direction.is_diagonal());
        }
        let metric = self.metric();
        let cost = straight_halves as f64 / 2.0 * metric.straight_cells()
            + diagonal_halves as f64 / 2.0 * metric.diagonal_cells()
            + self.scale().cells(links);
        let length = f64::from(straights) + f64::from(diagonals) * std::f64::consts::SQRT_2;
        Measure { units: sum, cost, length }
    }

    /// What the cheapest edge between two nodes costs: neighbours may be joined by a link, too.
    fn cheapest_edge(&self, from: NodeId, to: NodeId) -> Cost {
        let mut cheapest = Cost::MAX;
        self.for_each_edge(from, |next, cost| {
            if next == to {
                cheapest = cheapest.min(cost);
            }
        });
        cheapest
    }
}
