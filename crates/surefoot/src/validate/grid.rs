//! Paths on grids.

mod line;

use std::f64::consts::SQRT_2;

use super::{Claim, Place, Sums, Violation};
use crate::agent::{Agent, Metric, Moves, TerrainRule};
use crate::cost::{Cost, Scale};
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{Grid, Terrain};

/// Checks a path on a grid: the agent can stand on every cell, every step is legal for it, and the totals are correct.
///
/// Where a step and a link connect two cells, the cheaper is assumed; if they cost the same, the step. For an any-angle
/// path, the steps are lines instead. If the agent's radius is above 0, every point of a step or line is at least that
/// far from every wall. For an agent without a radius, lines lead over cells on which it can stand, and past corners
/// that it may cut.
///
/// # Errors
/// Returns the first violation: cells first, then endpoints, steps and totals.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::validate::{self, Claim, Violation};
/// let grid: Grid = ".#\n..".parse().unwrap();
/// let [start, goal] = [Cell::new(0, 0), Cell::new(1, 1)].map(|cell| grid.node(cell).unwrap());
/// let cost = std::f64::consts::SQRT_2;
/// let cut = Claim { start, goals: &[goal], nodes: &[start, goal], units: Cost::DIAGONAL, cost, length: cost, any_angle: false };
/// let verdict = validate::grid_path(&grid, &Agent::default(), &cut);
/// assert_eq!(verdict.unwrap_err().to_string(), "step 0 from cell 0,0 to cell 1,1 cuts the corner at cell 1,0");
/// let bold = Agent::new().with_moves(Moves::EightOne);
/// assert_eq!(validate::grid_path(&grid, &bold, &cut), Ok(()));
/// ```
pub fn grid_path(grid: &Grid, agent: &Agent, claim: &Claim) -> Result<(), Violation> {
    let judge = Judge { grid, agent };
    let mut cells = Vec::with_capacity(claim.nodes.len());
    for (index, &node) in claim.nodes.iter().enumerate() {
        let cell = judge.cell(node).ok_or(Violation::Outside { index, node })?;
        judge.check_stand(index, cell)?;
        cells.push(cell);
    }
    claim.check_ends(|node| judge.cell(node).map_or(Place::Node(node), Place::Cell))?;
    let mut total = Tally::default();
    for (step, (nodes, cells)) in claim.nodes.windows(2).zip(cells.windows(2)).enumerate() {
        if claim.any_angle {
            judge.line(step, cells[0], cells[1], &mut total)?;
            continue;
        }
        let walk = judge.walk(step, cells[0], cells[1]);
        let link = judge.cheapest_link(nodes[0], nodes[1]);
        match link {
            Some(link) if walk.as_ref().map_or(true, |walk| walk.units(&agent.metric()) > link) => {
                total.links += link;
            }
            _ => total.add_step(&walk?),
        }
    }
    claim.check_sums(&Sums {
        units: total.units(&agent.metric()),
        cost: total.cost(&agent.metric()),
        length: total.length(),
    })
}

pub(super) struct Judge<'a> {
    pub grid: &'a Grid,
    pub agent: &'a Agent,
}

impl Judge<'_> {
    /// Returns the cell of a number, if there is one. Numbers grow from the first cell to the last; the result of a
    /// grid for other numbers is not defined.
    pub fn cell(&self, node: NodeId) -> Option<Cell> {
        let last = Cell::new(self.grid.width() as i32 - 1, self.grid.height() as i32 - 1);
        let numbers = self.grid.node(Cell::new(0, 0))?..=self.grid.node(last)?;
        let cell = numbers.contains(&node).then(|| self.grid.cell(node))?;
        (self.grid.node(cell) == Some(node)).then_some(cell)
    }

    /// Returns whether a cell is a wall. Everything outside the map is.
    fn is_wall(&self, cell: Cell) -> bool {
        self.grid.terrain(cell).is_none_or(Terrain::is_wall)
    }

    /// Returns the clearance of a cell, if it is too small for the agent to stand there.
    fn too_small_clearance(&self, cell: Cell) -> Option<f64> {
        let radius = self.agent.radius();
        if self.is_wall(cell) {
            return Some(0.0);
        }
        // An open cell's own square keeps walls half a cell away from its middle.
        if radius <= 0.5 {
            return None;
        }
        // A wall `d` columns away is too far to matter when `d - 0.5 >= radius`. Of the walls outside the map, the nearest
        // touch it.
        let reach = (radius - 0.5).ceil() as i32;
        let span = |at: i32, side: u32| (at - reach).max(-1)..=(at + reach).min(side as i32);
        let mut nearest = f64::INFINITY;
        for y in span(cell.y, self.grid.height()) {
            for x in span(cell.x, self.grid.width()) {
                if self.is_wall(Cell::new(x, y)) {
                    let gap = |from: i32, to: i32| (f64::from((from - to).abs()) - 0.5).max(0.0);
                    nearest = nearest.min((gap(cell.x, x).powi(2) + gap(cell.y, y).powi(2)).sqrt());
                }
            }
        }
        (nearest < radius).then_some(nearest)
    }

    pub fn check_stand(&self, index: usize, cell: Cell) -> Result<(), Violation> {
        match self.too_small_clearance(cell) {
            None => Ok(()),
            Some(0.0) => Err(Violation::OnWall { index, place: cell.into() }),
            Some(clearance) => {
                Err(Violation::TooClose { index, place: cell.into(), clearance, needed: self.agent.radius() })
            }
        }
    }

    /// Returns the cost of an ordinary step between two cells where the agent can stand.
    pub fn walk(&self, step: usize, from: Cell, to: Cell) -> Result<Tally, Violation> {
        let diagonal = match ((to.x - from.x).abs(), (to.y - from.y).abs()) {
            (1, 0) | (0, 1) => false,
            (1, 1) => true,
            _ => return Err(Violation::StepTooLong { step, from, to }),
        };
        if diagonal {
            let corners = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
            let mut blocked = corners.into_iter().filter(|&cell| self.too_small_clearance(cell).is_some());
            if self.agent.moves() == Moves::Four {
                return Err(Violation::DiagonalNotAllowed { step, from, to });
            }
            if let Some(corner) = blocked.nth(self.corners_to_cut()) {
                let [from, to, corner] = [from, to, corner].map(Place::from);
                return Err(Violation::CornerCut { step, from, to, corner });
            }
        }
        self.check_distance(step, from, to)?;
        let cost = |cell| self.grid.terrain(cell).map_or(0, |terrain| u64::from(terrain.cost()));
        Ok(Tally::of_step(diagonal, cost(from), cost(to), self.agent.terrain_rule()))
    }

    /// Returns how many of the two cells beside a diagonal may be closed. Lines with the rule `4` cut no corners, and
    /// neither do round agents.
    fn corners_to_cut(&self) -> usize {
        match self.agent.moves() {
            _ if self.agent.radius() > 0.0 => 0,
            Moves::Four | Moves::Eight => 0,
            Moves::EightOne => 1,
            Moves::EightFree => 2,
        }
    }

    fn cheapest_link(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        let links = self.grid.links().iter().filter(|link| link.from == from && link.to == to);
        links.map(|link| link.cost).min()
    }
}

/// Counts of steps. Costs are computed from the counts at the end, so that no intermediate result is rounded.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    straights: u64,
    diagonals: u64,
    /// The number of times to add half the cost of a straight step over plain floor.
    half_straights: u64,
    /// The number of times to add half the cost of a diagonal step over plain floor.
    half_diagonals: u64,
    links: Cost,
    /// The cost of lines at any angle, which cannot be counted, only added.
    line_units: Cost,
    line_cost: f64,
    line_length: f64,
}

impl Tally {
    fn of_step(diagonal: bool, left: u64, entered: u64, rule: TerrainRule) -> Tally {
        let (halves, extra_straights) = match rule {
            TerrainRule::Mean => (left + entered, 0),
            TerrainRule::Enter => (2 * entered, 0),
            TerrainRule::Add => (2, 2 * (entered - 1)),
        };
        if diagonal {
            Tally {
                diagonals: 1,
                half_diagonals: halves,
                half_straights: extra_straights,
                ..Tally::default()
            }
        } else {
            Tally { straights: 1, half_straights: halves + extra_straights, ..Tally::default() }
        }
    }

    fn add_step(&mut self, step: &Tally) {
        self.straights += step.straights;
        self.diagonals += step.diagonals;
        self.half_straights += step.half_straights;
        self.half_diagonals += step.half_diagonals;
    }

    fn units(&self, metric: &Metric) -> Cost {
        let straights = metric.straight().units() / 2 * self.half_straights;
        let diagonals = metric.diagonal().units() / 2 * self.half_diagonals;
        Cost::from_units(straights + diagonals) + self.links + self.line_units
    }

    fn cost(&self, metric: &Metric) -> f64 {
        let straights = metric.straight_cells() * (self.half_straights as f64 / 2.0);
        let diagonals = metric.diagonal_cells() * (self.half_diagonals as f64 / 2.0);
        straights + diagonals + Scale::GRID.cells(self.links) + self.line_cost
    }

    fn length(&self) -> f64 {
        self.straights as f64 + self.diagonals as f64 * SQRT_2 + self.line_length
    }
}

#[cfg(test)]
mod tests;
