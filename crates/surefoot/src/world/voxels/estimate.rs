//! Heuristics in voxel worlds.

use crate::agent::VoxelMoves;
use crate::core::estimate::{Estimate, Flyer, Weight};
use crate::core::heuristic::Heuristic;
use crate::cost::line_below;
use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::{Shape, VoxelView, cost_along};

/// How a heuristic measures the distance between two cells without obstacles, by how many cells they are apart along each axis,
/// `far >= middle >= near`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SpaceFlight {
    /// `straight (far - middle) + diagonal (middle - near) + cubic near`.
    Steps { straight: u64, diagonal: u64, cubic: u64 },
    /// Along one axis or two at a time, as the rule `18` goes: two axes as often as possible.
    Pairs { straight: u64, diagonal: u64 },
    /// `unit` for each cell of the straight line, rounded down.
    Line { unit: u64 },
}

impl SpaceFlight {
    pub fn new(heuristic: Heuristic, moves: VoxelMoves) -> SpaceFlight {
        let [one, two, three] = [1, 2, 3].map(|axes| cost_along(axes).units());
        let steps = |straight, diagonal, cubic| SpaceFlight::Steps { straight, diagonal, cubic };
        let times =
            |weight: f64| (one as f64 * weight.clamp(0.0, 2.0 * Heuristic::MAX_WEIGHT)).round() as u64;
        match heuristic {
            Heuristic::Best => match moves {
                VoxelMoves::Six => steps(one, 2 * one, 3 * one),
                VoxelMoves::Eighteen => SpaceFlight::Pairs { straight: one, diagonal: two },
                VoxelMoves::TwentySix => steps(one, two, three),
            },
            Heuristic::Manhattan => steps(one, 2 * one, 3 * one),
            Heuristic::Euclidean => SpaceFlight::Line { unit: one },
            Heuristic::Chebyshev => steps(one, one, one),
            Heuristic::Octile => steps(one, two, three),
            Heuristic::Diagonal => steps(one, one * 14 / 10, one * 17 / 10),
            // A cube's diagonal is to a square's what it is in fact.
            Heuristic::Custom { straight, diagonal } => {
                steps(times(straight), times(diagonal), times(diagonal * 1.5_f64.sqrt()))
            }
            Heuristic::Zero => steps(0, 0, 0),
        }
    }

    #[inline]
    pub fn between(&self, apart: [u32; 3]) -> u64 {
        let [a, b, c] = apart.map(u64::from);
        let (far, near) = (a.max(b).max(c), a.min(b).min(c));
        let middle = a + b + c - far - near;
        match *self {
            SpaceFlight::Steps { straight, diagonal, cubic } => {
                straight * (far - middle) + diagonal * (middle - near) + cubic * near
            }
            SpaceFlight::Pairs { straight, diagonal } => {
                let pairs = (middle + near).min((far + middle + near) / 2);
                diagonal * pairs + straight * (far + middle + near - 2 * pairs)
            }
            SpaceFlight::Line { unit } => line_below(unit, a * a + b * b + c * c),
        }
    }

    /// Returns whether no step lowers this heuristic by more than the step costs under the rule. It then never exceeds the cost of a
    /// path either.
    pub fn is_consistent(&self, moves: VoxelMoves) -> bool {
        let [one, two, three] = [1, 2, 3].map(|axes| cost_along(axes).units());
        let known = match moves {
            VoxelMoves::Six => 1,
            VoxelMoves::Eighteen => 2,
            VoxelMoves::TwentySix => 3,
        };
        match *self {
            // A step can move each of the three numbers by one, in any combination.
            SpaceFlight::Steps { straight: s, diagonal: d, cubic: c } => {
                let (s, d, c) = (i128::from(s), i128::from(d), i128::from(c));
                let parts = [s, d - s, c - d];
                let worst = |axes: usize| {
                    let mut sizes = parts.map(i128::abs);
                    sizes.sort_unstable();
                    sizes.iter().rev().take(axes).sum::<i128>()
                };
                let exact = s == i128::from(one) && d == i128::from(two) && c == i128::from(three);
                let costs = [one, two, three];
                exact || (1..=known).all(|axes| worst(axes) <= i128::from(costs[axes - 1]))
            }
            SpaceFlight::Pairs { .. } => moves != VoxelMoves::TwentySix,
            SpaceFlight::Line { unit } => unit <= one,
        }
    }
}

/// The heuristic to a single goal by steps of all three kinds. Nearly every query uses it, so it is a separate type.
pub(crate) struct SpaceStepsTo {
    pub shape: Shape,
    pub goal: Voxel,
    pub straight: u64,
    pub diagonal: u64,
    pub cubic: u64,
}

impl Estimate for SpaceStepsTo {
    const COUNTS_STEPS: bool = true;

    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        let voxel = self.shape.voxel(node);
        let a = voxel.x.abs_diff(self.goal.x);
        let b = voxel.y.abs_diff(self.goal.y);
        let c = voxel.z.abs_diff(self.goal.z);
        let (far, near) = (a.max(b).max(c), a.min(b).min(c));
        let middle = a + b + c - far - near;
        self.straight * u64::from(far - middle)
            + self.diagonal * u64::from(middle - near)
            + self.cubic * u64::from(near)
    }
}

/// The heuristic to a single goal, in a straight line.
pub(crate) struct SpaceLineTo {
    pub shape: Shape,
    pub goal: Voxel,
    pub unit: u64,
    pub weight: Weight,
}

impl Estimate for SpaceLineTo {
    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        let Voxel { x, y, z } = self.shape.voxel(node);
        let apart = [x.abs_diff(self.goal.x), y.abs_diff(self.goal.y), z.abs_diff(self.goal.z)];
        let squares = apart.iter().map(|&cells| u64::from(cells) * u64::from(cells)).sum();
        self.weight.times(line_below(self.unit, squares))
    }
}

/// Flies through a voxel world.
pub(crate) struct VoxelFlyer<'a> {
    flight: SpaceFlight,
    shape: &'a Shape,
}

impl<'a> VoxelFlyer<'a> {
    pub fn new(heuristic: Heuristic, view: &VoxelView<'a>) -> VoxelFlyer<'a> {
        VoxelFlyer { flight: SpaceFlight::new(heuristic, view.moves()), shape: view.shape() }
    }
}

/// Columns, rows and layers from least to most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VoxelBox {
    least: [i32; 3],
    most: [i32; 3],
}

impl Flyer for VoxelFlyer<'_> {
    type Place = VoxelBox;

    #[inline]
    fn place(&self, node: NodeId) -> VoxelBox {
        let Voxel { x, y, z } = self.shape.voxel(node);
        VoxelBox { least: [x, y, z], most: [x, y, z] }
    }

    fn join(&self, a: VoxelBox, b: VoxelBox) -> VoxelBox {
        VoxelBox {
            least: std::array::from_fn(|axis| a.least[axis].min(b.least[axis])),
            most: std::array::from_fn(|axis| a.most[axis].max(b.most[axis])),
        }
    }

    #[inline]
    fn fly(&self, a: VoxelBox, b: VoxelBox) -> u64 {
        self.flight.between(std::array::from_fn(|axis| {
            (b.least[axis] - a.most[axis]).max(a.least[axis] - b.most[axis]).max(0) as u32
        }))
    }
}

impl Heuristic {
    /// Explains in plain words why A* with this heuristic may miss the best path in a voxel world; `None` if it never does.
    pub(crate) fn fault_in_space(self, view: &VoxelView<'_>) -> Option<String> {
        let consistent = SpaceFlight::new(self, view.moves()).is_consistent(view.moves());
        (!consistent).then(|| format!("{} may overestimate moves", self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::voxels::{Rule, Step};

    /// The minimum cost of a step without obstacles.
    fn steps(moves: VoxelMoves) -> impl Iterator<Item = Step> {
        let legal = Rule::of(moves).legal(u32::MAX >> 5);
        Step::ALL.into_iter().filter(move |step| legal & step.bit() != 0)
    }

    #[test]
    fn what_is_called_consistent_falls_no_faster_than_steps_cost() {
        for moves in VoxelMoves::ALL {
            for heuristic in Heuristic::ALL {
                let flight = SpaceFlight::new(heuristic, moves);
                let estimate = |place: [i32; 3]| flight.between(place.map(i32::unsigned_abs));
                let mut holds = true;
                for place in (0..512).map(|index| [index % 8, index / 8 % 8, index / 64]) {
                    for step in steps(moves) {
                        let delta = step.delta();
                        let next = std::array::from_fn(|axis| place[axis] + delta[axis]);
                        holds &= estimate(place) <= estimate(next) + step.cost().units();
                    }
                }
                if flight.is_consistent(moves) {
                    assert!(holds, "{heuristic} {moves}");
                }
                assert!(
                    holds == flight.is_consistent(moves) || moves != VoxelMoves::TwentySix,
                    "{heuristic}"
                );
            }
            assert!(SpaceFlight::new(Heuristic::Best, moves).is_consistent(moves));
        }
    }
}
