//! The 26 steps between cells of a voxel world.

use crate::cost::{Cost, Scale};

/// A step, or staying: a number from 0 to 26, `9 (dz + 1) + 3 (dy + 1) + dx + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(u8);

/// How many numbers there are.
pub(crate) const STEPS: usize = 27;

/// The bit of staying.
#[cfg(test)]
pub(crate) const STAY: u32 = 1 << 13;

/// Costs of steps along one, two and three axes: a cell's width and both its diagonals, rounded up by less than 5e-9. So estimates
/// by steps and by straight lines never exceed what steps really cost. Finer than on grids: there is no scale as coarse
/// as theirs that is as true to three lengths.
const COSTS: [u64; 4] = [0, Scale::VOXELS.units_per_cell(), 271_628, 332_675];

impl Step {
    /// All, by number, staying included.
    pub const ALL: [Step; STEPS] = {
        let mut all = [Step(0); STEPS];
        let mut number = 0;
        while number < STEPS {
            all[number] = Step(number as u8);
            number += 1;
        }
        all
    };

    /// Returns the step of a number; invalid numbers mean staying.
    #[inline]
    pub const fn of_number(number: u8) -> Step {
        if number < STEPS as u8 { Step(number) } else { Step(13) }
    }

    /// The step between two places at most one apart on each axis.
    pub fn between(from: [i32; 3], to: [i32; 3]) -> Option<Step> {
        let mut number = 0;
        for axis in (0..3).rev() {
            let delta = to[axis].checked_sub(from[axis]).filter(|delta| delta.abs() <= 1)?;
            number = 3 * number + (delta + 1) as u8;
        }
        Some(Step(number))
    }

    /// The step along an axis, up or down through the coordinates.
    #[inline]
    pub const fn along(axis: usize, down: bool) -> Step {
        let apart = [1, 3, 9][axis];
        Step(if down { 13 - apart } else { 13 + apart })
    }

    /// The step's number.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The step as a bit.
    #[inline]
    pub const fn bit(self) -> u32 {
        1 << self.0
    }

    /// The change of each coordinate.
    #[inline]
    pub const fn delta(self) -> [i32; 3] {
        let number = self.0 as i32;
        [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1]
    }

    /// Returns the number of axes along which the step moves.
    #[inline]
    pub const fn axes(self) -> usize {
        let [dx, dy, dz] = self.delta();
        (dx.abs() + dy.abs() + dz.abs()) as usize
    }

    /// Returns the opposite step.
    #[inline]
    pub const fn opposite(self) -> Step {
        Step(26 - self.0)
    }

    /// Returns the cost of the step.
    #[inline]
    pub const fn cost(self) -> Cost {
        cost_along(self.axes())
    }
}

/// Returns the cost of a step along the given number of axes.
#[inline]
pub(crate) const fn cost_along(axes: usize) -> Cost {
    Cost::from_units(COSTS[axes])
}

/// By number: what a step costs.
pub(crate) const STEP_COSTS: [Cost; STEPS] = {
    let mut costs = [Cost::ZERO; STEPS];
    let mut number = 0;
    while number < STEPS {
        costs[number] = Step(number as u8).cost();
        number += 1;
    }
    costs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_deltas_and_opposites_agree() {
        for step in Step::ALL {
            assert_eq!(Step::between([0; 3], step.delta()), Some(step));
            assert_eq!(step.opposite().delta(), step.delta().map(|delta| -delta));
        }
        assert_eq!(Step::between([0; 3], [0; 3]).unwrap().bit(), STAY);
        assert_eq!(Step::between([0, 0, 0], [0, 2, 0]), None);
        assert_eq!(Step::between([i32::MIN, 0, 0], [i32::MAX, 0, 0]), None);
    }

    #[test]
    fn diagonals_are_rounded_up_and_hardly() {
        let one = u128::from(COSTS[1]);
        for (axes, cost) in [(2, COSTS[2]), (3, COSTS[3])] {
            let cost = u128::from(cost);
            assert!(cost * cost >= axes * one * one);
            assert!((cost - 1) * (cost - 1) < axes * one * one);
            let excess = cost as f64 / one as f64 / (axes as f64).sqrt() - 1.0;
            assert!(excess < 5e-9, "{excess}");
        }
    }
}
