//! Fixed-point costs.
//!
//! A search that adds floats depends on the order of its additions; one that adds integers does not. Costs are therefore whole
//! numbers of units. How many units one cell is worth depends on the kind of world, because the steps of each kind need their own
//! rounding. A [`Scale`] converts between costs and cells.
//!
//! On grids and waypoint graphs one cell is 23,780 units ([`Scale::GRID`]), chosen so that
//!
//! * the diagonal, 33,630 units, is `sqrt 2` rounded *up* by 4.5e-8 (33,630 / 23,780 = 3363 / 2378, a convergent of
//!   `sqrt 2`), so octile and Euclidean estimates never exceed the true cost of the steps;
//! * straight and diagonal are even, so the mean of two cells' terrain costs is exact;
//! * tenths of a cell are exact (a diagonal of 1.4 is 33,292 units).
//!
//! In voxel worlds one cell is 192,070 units ([`Scale::VOXELS`]), because `sqrt 3` has to be rounded as well as `sqrt 2`.
//!
//! ```
//! use surefoot::cost::{Cost, Scale};
//! assert_eq!(Scale::GRID.cells(Cost::ONE * 3), 3.0);
//! assert_eq!(Scale::GRID.cost(0.1), Some(Cost::from_units(2378)));
//! ```

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A cost in fixed-point units. The value of a unit depends on the kind of world, whose [`Scale`] converts to cells.
///
/// ```
/// use surefoot::cost::{Cost, Scale};
/// assert_eq!(Scale::GRID.cost(1.4), Some(Cost::from_units(33_292)));
/// assert_eq!(Scale::GRID.cells(Cost::ONE + Cost::ONE), 2.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Cost(u64);

impl Cost {
    /// The cost 0.
    pub const ZERO: Cost = Cost(0);
    /// The width of one cell on grids and waypoint graphs.
    pub const ONE: Cost = Cost(Scale::GRID.0);
    /// The diagonal of one cell on grids and waypoint graphs, rounded up.
    pub const DIAGONAL: Cost = Cost(33_630);
    /// The most that a single edge may cost.
    pub const MAX_EDGE: Cost = Cost(u32::MAX as u64);
    /// More than any path costs.
    pub const MAX: Cost = Cost(u64::MAX);

    /// Creates a cost from a number of units.
    #[inline]
    pub const fn from_units(units: u64) -> Cost {
        Cost(units)
    }

    /// Returns the number of units.
    #[inline]
    pub const fn units(self) -> u64 {
        self.0
    }

    /// Returns the sum, or [`Cost::MAX`] if it does not fit.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

/// The number of cost units per cell, in one kind of world.
///
/// Costs from worlds with different scales must not be compared or added. Every view has its scale.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::cost::Scale;
/// let (grid, voxels) = (Grid::new(3, 1).unwrap(), Voxels::new(3, 1, 1).unwrap());
/// let view = voxels.view(&Agent::default());
/// let mut finder = Pathfinder::default();
/// let path = finder.find(&view, Voxel::new(0, 0, 0), Voxel::new(2, 0, 0)).unwrap();
/// assert_eq!(path.units().units(), 384_140);
/// assert_eq!(view.scale().cells(path.units()), 2.0);
/// assert_eq!(grid.view(&Agent::default()).scale(), Scale::GRID);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scale(u64);

impl Scale {
    /// The scale of grids and waypoint graphs.
    pub const GRID: Scale = Scale(23_780);
    /// The scale of voxel worlds.
    pub const VOXELS: Scale = Scale(192_070);

    /// Returns the number of units per cell.
    #[inline]
    pub const fn units_per_cell(self) -> u64 {
        self.0
    }

    /// Returns the cost nearest to a number of cells. Returns `None` if the number is negative, not finite, or larger than a
    /// [`Cost`] can hold.
    pub fn cost(self, cells: f64) -> Option<Cost> {
        let units = (cells * self.0 as f64).round();
        (cells >= 0.0 && units < u64::MAX as f64).then_some(Cost(units as u64))
    }

    /// Converts a cost to cells. Exact path costs are computed from the steps instead (see
    /// [`Path::cost`](crate::path::Path::cost)).
    pub fn cells(self, cost: Cost) -> f64 {
        cost.0 as f64 / self.0 as f64
    }
}

/// `unit * sqrt(squares)`, rounded down, and whether that is exact. Far below the largest costs a float finds the root and
/// integers put it right.
#[inline]
fn scaled_root(unit: u64, squares: u64) -> (u64, bool) {
    let area = unit.checked_mul(unit).and_then(|area| area.checked_mul(squares));
    if let Some(area) = area.filter(|area| *area < 1 << 62) {
        let mut root = (area as f64).sqrt() as u64;
        while root * root > area {
            root -= 1;
        }
        while (root + 1) * (root + 1) <= area {
            root += 1;
        }
        return (root, root * root == area);
    }
    let area = u128::from(unit) * u128::from(unit) * u128::from(squares);
    let root = area.isqrt();
    (root as u64, root * root == area)
}

/// An estimate of a straight line: `unit * sqrt(squares)`, rounded down.
#[inline]
pub(crate) fn line_below(unit: u64, squares: u64) -> u64 {
    scaled_root(unit, squares).0
}

/// What a straight line costs: `unit * sqrt(squares)`, rounded up.
///
/// So a line never costs more than a chain of lines or steps between its ends, and an estimate that is [rounded
/// down](line_below) never falls by more than a line costs.
#[inline]
pub(crate) fn line_above(unit: u64, squares: u64) -> u64 {
    let (root, exact) = scaled_root(unit, squares);
    root + u64::from(!exact)
}

/// Reads the cost of an edge or a link. Rejects zero and costs above [`Cost::MAX_EDGE`].
#[cfg(feature = "serde")]
pub(crate) fn edge_cost<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cost, D::Error> {
    let cost: Cost = serde::Deserialize::deserialize(deserializer)?;
    if cost == Cost::ZERO || cost > Cost::MAX_EDGE {
        let Cost(most) = Cost::MAX_EDGE;
        return Err(serde::de::Error::custom(format_args!("found a cost of {cost:?}, expected 1 to {most}")));
    }
    Ok(cost)
}

impl Add for Cost {
    type Output = Cost;
    #[inline]
    fn add(self, other: Cost) -> Cost {
        Cost(self.0 + other.0)
    }
}

impl Mul<u64> for Cost {
    type Output = Cost;

    /// Multiplies the cost by a number.
    fn mul(self, times: u64) -> Cost {
        Cost(self.0 * times)
    }
}

impl AddAssign for Cost {
    #[inline]
    fn add_assign(&mut self, other: Cost) {
        self.0 += other.0;
    }
}

impl Sub for Cost {
    type Output = Cost;
    #[inline]
    fn sub(self, other: Cost) -> Cost {
        Cost(self.0 - other.0)
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

impl fmt::Debug for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} units", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_diagonal_is_the_smallest_unit_count_not_below_sqrt_two() {
        let one = u128::from(Cost::ONE.units());
        let diagonal = u128::from(Cost::DIAGONAL.units());
        assert!(diagonal * diagonal >= 2 * one * one);
        assert!((diagonal - 1) * (diagonal - 1) < 2 * one * one);
    }

    proptest! {
        #[test]
        fn roots_are_exact_however_large(
            unit in prop_oneof![Just(23_780), 1..4_000_000_000_u64],
            squares in prop_oneof![0..1000_u64, 0..1_u64 << 31],
        ) {
            let area = u128::from(unit).pow(2) * u128::from(squares);
            let [below, above] = [line_below(unit, squares), line_above(unit, squares)].map(u128::from);
            prop_assert!(below * below <= area && (below + 1) * (below + 1) > area);
            prop_assert!(above * above >= area && (above == 0 || (above - 1) * (above - 1) < area));
        }
    }

    #[test]
    fn a_line_along_a_step_costs_what_the_step_costs() {
        assert_eq!(line_above(Cost::ONE.units(), 1), Cost::ONE.units());
        assert_eq!(line_above(Cost::ONE.units(), 2), Cost::DIAGONAL.units());
    }

    #[test]
    fn cells_that_do_not_fit_are_refused() {
        for scale in [Scale::GRID, Scale::VOXELS] {
            for cells in [-0.1, -f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e15] {
                assert_eq!(scale.cost(cells), None, "{cells}");
            }
            assert_eq!(scale.cost(0.0), Some(Cost::ZERO));
            // Longer than any single edge may be, as whole paths are.
            assert_eq!(scale.cost(1e6).map(|cost| scale.cells(cost)), Some(1e6));
        }
    }

    #[test]
    fn the_debug_text_of_a_cost_claims_no_cells() {
        assert_eq!(format!("{:?}", Cost::ONE), "23780 units");
    }
}
