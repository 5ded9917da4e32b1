//! Fixed-point costs.
//!
//! A search that adds floats depends on the order of its additions; one that adds integers does not. One cell is
//! [`Cost::ONE`] = 23,780 units. The scale was chosen so that
//!
//! * the diagonal, 33,630 units, is `sqrt 2` rounded *up* by 4.5e-8 (33,630 / 23,780 = 3363 / 2378, a convergent of
//!   `sqrt 2`), so octile and Euclidean estimates never exceed what steps really cost;
//! * straight and diagonal are even, so the mean of two cells' terrain costs is exact;
//! * tenths of a cell are exact (a diagonal of 1.4 is 33,292 units).

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A cost in fixed-point units; see the [module](self) for the scale.
///
/// ```
/// use surefoot::cost::Cost;
/// assert_eq!(Cost::from_cells(1.4), Some(Cost::from_units(33_292)));
/// assert_eq!((Cost::ONE + Cost::ONE).to_cells(), 2.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(u64);

impl Cost {
    /// Nothing.
    pub const ZERO: Cost = Cost(0);
    /// One cell's width.
    pub const ONE: Cost = Cost(23_780);
    /// The diagonal of one cell, rounded up.
    pub const DIAGONAL: Cost = Cost(33_630);
    /// The dearest single edge that a graph may have.
    pub const MAX_EDGE: Cost = Cost(u32::MAX as u64);
    /// More than any path costs.
    pub const MAX: Cost = Cost(u64::MAX);

    /// A cost of so many units.
    #[inline]
    pub const fn from_units(units: u64) -> Cost {
        Cost(units)
    }

    /// The units of this cost.
    #[inline]
    pub const fn units(self) -> u64 {
        self.0
    }

    /// The nearest cost to a length in cells; `None` if it is negative, not finite, or above [`Cost::MAX_EDGE`].
    pub fn from_cells(cells: f64) -> Option<Cost> {
        let units = (cells * Cost::ONE.0 as f64).round();
        (cells >= 0.0 && units <= Cost::MAX_EDGE.0 as f64).then_some(Cost(units as u64))
    }

    /// This cost in cells. Exact path costs are computed from steps instead (see [`Path`](crate::path::Path)).
    pub fn to_cells(self) -> f64 {
        self.0 as f64 / Cost::ONE.0 as f64
    }

    /// The sum, or [`Cost::MAX`] if it does not fit.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
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

    /// So many times the cost.
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
        write!(f, "{:.3}", self.to_cells())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagonal_is_the_smallest_unit_count_not_below_sqrt_two() {
        let one = u128::from(Cost::ONE.units());
        let diagonal = u128::from(Cost::DIAGONAL.units());
        assert!(diagonal * diagonal >= 2 * one * one);
        assert!((diagonal - 1) * (diagonal - 1) < 2 * one * one);
    }

    #[test]
    fn cells_that_do_not_fit_are_refused() {
        assert_eq!(Cost::from_cells(-0.1), None);
        assert_eq!(Cost::from_cells(f64::NAN), None);
        assert_eq!(Cost::from_cells(f64::INFINITY), None);
        assert_eq!(Cost::from_cells(1e6), None);
        assert_eq!(Cost::from_cells(0.0), Some(Cost::ZERO));
    }
}
