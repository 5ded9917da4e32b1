//! Paths in voxel worlds.

use super::distance::too_close;
use super::{Claim, Place, Sums, Violation, line_units};
use crate::agent::{Agent, VoxelMoves};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::Voxels;

/// Units of steps along one, two and three axes.
const UNITS: [u64; 3] = [192_070, 271_628, 332_675];

/// Checks a path in a voxel world: the agent can be in every cell, every step is legal for it, and the totals are
/// correct.
///
/// For an any-angle path, the steps are lines instead. If the agent's radius is above 0, every point of a step or line
/// is at least that far from every solid cell. For an agent without a radius, every cell that a line touches is open.
///
/// # Errors
/// Returns the first violation: cells first, then endpoints, steps and totals.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::validate::{self, Claim};
/// let voxels = Voxels::from_solid([2, 2, 2], [Voxel::new(1, 0, 0)]).unwrap();
/// let [start, goal] = [Voxel::new(0, 0, 0), Voxel::new(1, 1, 1)].map(|voxel| voxels.node(voxel).unwrap());
/// let cost = 3.0_f64.sqrt();
/// let units = Cost::from_units(332_675);
/// let cut = Claim { start, goals: &[goal], nodes: &[start, goal], units, cost, length: cost, any_angle: false };
/// let verdict = validate::voxel_path(&voxels, &Agent::default(), &cut);
/// assert_eq!(verdict.unwrap_err().to_string(), "step 0 from cell 0,0,0 to cell 1,1,1 cuts the corner at cell 1,0,0");
/// ```
pub fn voxel_path(voxels: &Voxels, agent: &Agent, claim: &Claim) -> Result<(), Violation> {
    let judge = Judge { voxels, agent };
    let mut cells = Vec::with_capacity(claim.nodes.len());
    for (index, &node) in claim.nodes.iter().enumerate() {
        let voxel = judge.voxel(node).ok_or(Violation::Outside { index, node })?;
        match judge.too_small_clearance(voxel) {
            None => cells.push(voxel),
            Some(0.0) => return Err(Violation::OnWall { index, place: voxel.into() }),
            Some(clearance) => {
                let (place, needed) = (voxel.into(), agent.radius());
                return Err(Violation::TooClose { index, place, clearance, needed });
            }
        }
    }
    claim.check_ends(|node| judge.voxel(node).map_or(Place::Node(node), Place::Voxel))?;
    if claim.any_angle {
        return claim.check_sums(&judge.lines(&cells)?);
    }
    let mut steps = [0_u32; 3];
    for (step, pair) in cells.windows(2).enumerate() {
        steps[judge.axes(step, pair[0], pair[1])? - 1] += 1;
    }
    let [one, two, three] = steps.map(f64::from);
    let length = one + two * 2.0_f64.sqrt() + three * 3.0_f64.sqrt();
    let units = steps.iter().zip(UNITS).map(|(&steps, units)| u64::from(steps) * units).sum();
    claim.check_sums(&Sums { units: Cost::from_units(units), cost: length, length })
}

struct Judge<'a> {
    voxels: &'a Voxels,
    agent: &'a Agent,
}

impl Judge<'_> {
    /// Returns the cell of a number, if there is one. Numbers grow from the first cell to the last.
    fn voxel(&self, node: NodeId) -> Option<Voxel> {
        let [x, y, z] = self.voxels.size().map(|side| side as i32 - 1);
        let numbers = self.voxels.node(Voxel::new(0, 0, 0))?..=self.voxels.node(Voxel::new(x, y, z))?;
        let voxel = numbers.contains(&node).then(|| self.voxels.voxel(node))?;
        (self.voxels.node(voxel) == Some(node)).then_some(voxel)
    }

    /// Returns the clearance of a cell, if it is too small for the agent to be there.
    fn too_small_clearance(&self, voxel: Voxel) -> Option<f64> {
        if !self.voxels.is_open(voxel) {
            return Some(0.0);
        }
        let radius = self.agent.radius();
        if radius <= 0.5 {
            return None;
        }
        let reach = (radius - 0.5).ceil() as i32;
        let [x, y, z] = self.voxels.size();
        let span = |at: i32, side: u32| (at - reach).max(-1)..=(at + reach).min(side as i32);
        let gap = |from: i32, to: i32| (f64::from((from - to).abs()) - 0.5).max(0.0);
        let mut nearest = f64::INFINITY;
        for other_z in span(voxel.z, z) {
            for other_y in span(voxel.y, y) {
                for other_x in span(voxel.x, x) {
                    if !self.voxels.is_open(Voxel::new(other_x, other_y, other_z)) {
                        let square = gap(voxel.x, other_x).powi(2)
                            + gap(voxel.y, other_y).powi(2)
                            + gap(voxel.z, other_z).powi(2);
                        nearest = nearest.min(square.sqrt());
                    }
                }
            }
        }
        (nearest < radius).then_some(nearest)
    }

    /// Checks that a round agent keeps its distance from solid cells between the centres of two cells.
    fn check_distance(&self, step: usize, from: Voxel, to: Voxel) -> Result<(), Violation> {
        let needed = self.agent.radius();
        if needed <= 0.0 {
            return Ok(());
        }
        let ends = [from, to].map(|voxel| [voxel.x, voxel.y, voxel.z]);
        match too_close(ends, needed, self.voxels.size(), |[x, y, z]| {
            !self.voxels.is_open(Voxel::new(x, y, z))
        }) {
            None => Ok(()),
            Some(([x, y, z], distance)) => {
                let [from, to, solid] = [from, to, Voxel::new(x, y, z)].map(Place::Voxel);
                Err(Violation::LineTooClose { step, from, to, solid, distance, needed })
            }
        }
    }

    /// Returns along how many axes a step goes, if it is legal.
    fn axes(&self, step: usize, from: Voxel, to: Voxel) -> Result<usize, Violation> {
        let apart = [(from.x - to.x).abs(), (from.y - to.y).abs(), (from.z - to.z).abs()];
        let axes = apart.iter().filter(|&&cells| cells == 1).count();
        let most = match self.agent.voxel_moves() {
            VoxelMoves::Six => 1,
            VoxelMoves::Eighteen => 2,
            VoxelMoves::TwentySix => 3,
        };
        if apart.iter().any(|&cells| cells > 1) || axes == 0 || axes > most {
            return Err(Violation::NoSuchStep { step, from, to, rule: self.agent.voxel_moves() });
        }
        for x in [from.x, to.x] {
            for y in [from.y, to.y] {
                for corner in [from.z, to.z].map(|z| Voxel::new(x, y, z)) {
                    if self.too_small_clearance(corner).is_some() {
                        let [from, to, corner] = [from, to, corner].map(Place::from);
                        return Err(Violation::CornerCut { step, from, to, corner });
                    }
                }
            }
        }
        self.check_distance(step, from, to)?;
        Ok(axes)
    }
}

/// Returns whether the line between the centres of two cells touches a cell of the box around them: its interior, a
/// face, an edge or a corner. No axis separates the two: seen along each axis, the line comes as near to the centre of
/// the cell as a corner of its square does.
fn touches(from: Voxel, to: Voxel, cell: Voxel) -> bool {
    let coordinates = |voxel: Voxel| [voxel.x, voxel.y, voxel.z].map(i64::from);
    let (from, to, cell) = (coordinates(from), coordinates(to), coordinates(cell));
    [(0, 1), (1, 2), (2, 0)].into_iter().all(|(i, j)| {
        let (di, dj) = (to[i] - from[i], to[j] - from[j]);
        let cross = di * (cell[j] - from[j]) - dj * (cell[i] - from[i]);
        2 * cross.abs() <= di.abs() + dj.abs()
    })
}

impl Judge<'_> {
    /// Checks the lines of a path whose cells are open, and adds up their costs.
    fn lines(&self, cells: &[Voxel]) -> Result<Sums, Violation> {
        let mut sums = Sums { units: Cost::ZERO, cost: 0.0, length: 0.0 };
        let span = |a: i32, b: i32| a.min(b)..=a.max(b);
        for (step, pair) in cells.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            self.check_distance(step, from, to)?;
            let is_thin = self.agent.radius() <= 0.0;
            for z in span(from.z, to.z).filter(|_| is_thin) {
                for y in span(from.y, to.y) {
                    // Seen along the rows, the line is the same in all columns: most rows cannot be affected.
                    let (dy, dz) = (i64::from(to.y - from.y), i64::from(to.z - from.z));
                    let cross = dy * i64::from(z - from.z) - dz * i64::from(y - from.y);
                    if 2 * cross.abs() > dy.abs() + dz.abs() {
                        continue;
                    }
                    for voxel in span(from.x, to.x).map(|x| Voxel::new(x, y, z)) {
                        if touches(from, to, voxel) && self.too_small_clearance(voxel).is_some() {
                            let [from, to, place] = [from, to, voxel].map(Place::from);
                            return Err(Violation::LineBlocked { step, from, to, place });
                        }
                    }
                }
            }
            let apart = [to.x - from.x, to.y - from.y, to.z - from.z].map(|cells| i64::from(cells).pow(2));
            let squares = apart.iter().sum::<i64>() as u64;
            sums.units += line_units(UNITS[0], squares);
            sums.length += (squares as f64).sqrt();
        }
        sums.cost = sums.length;
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict on a path of cells with correct totals.
    fn verdict(voxels: &Voxels, agent: &Agent, cells: &[(i32, i32, i32)]) -> String {
        verdict_of(voxels, agent, cells, false)
    }

    /// The same; its steps may be lines, and then totals are not checked.
    fn verdict_of(voxels: &Voxels, agent: &Agent, cells: &[(i32, i32, i32)], any_angle: bool) -> String {
        let nodes: Vec<NodeId> =
            cells.iter().map(|&(x, y, z)| voxels.node(Voxel::new(x, y, z)).unwrap_or(NodeId::NONE)).collect();
        let axes = |pair: &[(i32, i32, i32)]| {
            let (a, b) = (pair[0], pair[1]);
            usize::from(a.0 != b.0) + usize::from(a.1 != b.1) + usize::from(a.2 != b.2)
        };
        let length: f64 = cells.windows(2).map(|pair| (axes(pair) as f64).sqrt()).sum();
        let units: u64 = cells.windows(2).map(|pair| UNITS[axes(pair).max(1) - 1]).sum();
        let (start, goals) = (nodes[0], [nodes[nodes.len() - 1]]);
        let units = Cost::from_units(units);
        let claim = Claim { start, goals: &goals, nodes: &nodes, units, cost: length, length, any_angle };
        let error = voxel_path(voxels, agent, &claim).err();
        let error = error.filter(|error| !any_angle || !error.is_about_sums());
        error.map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn legal_paths_pass_and_others_are_named() {
        let voxels = Voxels::from_solid([5, 5, 5], [Voxel::new(2, 2, 2)]).unwrap();
        let agent = Agent::default();
        let verdict = |cells: &[(i32, i32, i32)]| verdict(&voxels, &agent, cells);
        assert_eq!(verdict(&[(0, 0, 0), (1, 1, 1), (1, 1, 2), (1, 2, 3)]), "");
        assert_eq!(verdict(&[(1, 2, 2), (2, 2, 2)]), "node 1 of the path is on the wall at cell 2,2,2");
        assert_eq!(
            verdict(&[(1, 1, 2), (2, 2, 3)]),
            "step 0 from cell 1,1,2 to cell 2,2,3 cuts the corner at cell 2,2,2"
        );
        assert_eq!(
            verdict(&[(3, 2, 1), (2, 1, 2)]),
            "step 0 from cell 3,2,1 to cell 2,1,2 cuts the corner at cell 2,2,2"
        );
        assert_eq!(
            verdict(&[(0, 0, 0), (2, 0, 0)]),
            "step 0 from 0,0,0 to 2,0,0 is not allowed by the movement rule 26"
        );
        assert_eq!(
            verdict(&[(0, 0, 0), (0, 0, 0)]),
            "step 0 from 0,0,0 to 0,0,0 is not allowed by the movement rule 26"
        );
        assert_eq!(
            verdict(&[(0, 0, 0), (0, 0, 9)]),
            "node 1 of the path is outside the world: there is no node 4294967295"
        );
    }

    #[test]
    fn size_and_rule_are_the_agents() {
        let voxels = Voxels::from_solid([5, 5, 5], [Voxel::new(2, 2, 2)]).unwrap();
        let six = Agent::new().with_voxel_moves(VoxelMoves::Six);
        let step = [(0, 0, 0), (1, 1, 0)];
        assert_eq!(
            verdict(&voxels, &six, &step),
            "step 0 from 0,0,0 to 1,1,0 is not allowed by the movement rule 6"
        );
        let wide = Agent::new().with_radius(0.6).unwrap();
        assert_eq!(
            verdict(&voxels, &wide, &[(1, 1, 2), (1, 2, 2)]),
            "node 1 of the path, cell 1,2,2, is 0.5 from a wall: the agent needs 0.6"
        );
        assert_eq!(verdict(&voxels, &wide, &[(1, 1, 2), (1, 1, 1)]), "");
    }

    #[test]
    fn wide_agents_keep_away_from_borders_and_corners() {
        let (room, wide) =
            (Voxels::new(5, 5, 5).unwrap(), |radius| Agent::new().with_radius(radius).unwrap());
        for (cell, next) in [((0, 2, 2), (1, 2, 2)), ((2, 4, 2), (2, 3, 2))] {
            let verdict = verdict(&room, &wide(1.0), &[cell, next]);
            assert!(verdict.contains("is 0.5 from a wall"), "{cell:?}: {verdict}");
        }
        let pillar = Voxels::from_solid([7, 7, 7], [Voxel::new(3, 3, 3)]).unwrap();
        assert_eq!(
            verdict(&pillar, &wide(0.6), &[(2, 2, 3), (1, 3, 3)]),
            "step 0 from cell 2,2,3 to cell 1,3,3 cuts the corner at cell 2,3,3"
        );
        assert_eq!(verdict(&pillar, &wide(0.5_f64.sqrt()), &[(2, 2, 3), (2, 2, 2)]), "", "it just fits");
        let line = [(1, 3, 2), (5, 3, 2)];
        assert_eq!(verdict_of(&pillar, &wide(0.5), &line, true), "");
        let verdict = verdict_of(&pillar, &wide(0.6), &line, true);
        assert!(verdict.ends_with("comes within 0.5 of solid cell 3,3,3: the agent needs 0.6"), "{verdict}");
    }

    #[test]
    fn a_line_touches_what_meets_at_an_edge() {
        let agent = Agent::default();
        for (solid, to) in
            [((1, 1, 0), (3, 1, 0)), ((2, 0, 0), (3, 1, 0)), ((0, 1, 1), (0, 3, 1)), ((1, 0, 1), (3, 0, 1))]
        {
            let voxels = Voxels::from_solid([4, 4, 4], [Voxel::new(solid.0, solid.1, solid.2)]).unwrap();
            let verdict = verdict_of(&voxels, &agent, &[(0, 0, 0), to], true);
            assert!(verdict.contains(&format!("{},{},{}", solid.0, solid.1, solid.2)), "{to:?}: {verdict}");
        }
    }

    #[test]
    fn numbers_beside_the_world_are_outside() {
        let voxels = Voxels::new(3, 3, 3).unwrap();
        let node = NodeId(voxels.node(Voxel::new(2, 1, 1)).unwrap().0 + 1);
        let claim = Claim {
            start: node,
            goals: &[node],
            nodes: &[node],
            units: Cost::ZERO,
            cost: 0.0,
            length: 0.0,
            any_angle: false,
        };
        assert_eq!(
            voxel_path(&voxels, &Agent::default(), &claim),
            Err(Violation::Outside { index: 0, node })
        );
    }
}
