//! Means and percentiles.

/// Returns the arithmetic mean, or `None` for an empty list.
///
/// ```
/// assert_eq!(surefoot_experiments::statistics::mean(&[1.0, 2.0, 6.0]), Some(3.0));
/// ```
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the nearest-rank percentile: the smallest value such that at least `percent` percent of the values are not above
/// it. It is always one of the values, which must be sorted. Returns `None` for an empty list.
///
/// ```
/// use surefoot_experiments::statistics::percentile;
/// let sorted = [15.0, 20.0, 35.0, 40.0, 50.0];
/// assert_eq!(percentile(&sorted, 40), Some(20.0));
/// assert_eq!(percentile(&sorted, 99), Some(50.0));
/// ```
pub fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// Returns the exponent `b` of the power law `y = a * x^b` that fits some points best, by least squares of logarithms. Returns `None` if there are
/// fewer than two different `x`, or a coordinate that is not above zero.
///
/// ```
/// use surefoot_experiments::statistics::fitted_exponent;
/// let squares = [(1.0, 3.0), (2.0, 12.0), (5.0, 75.0)];
/// assert!((fitted_exponent(&squares).unwrap() - 2.0).abs() < 1e-12);
/// ```
pub fn fitted_exponent(points: &[(f64, f64)]) -> Option<f64> {
    if points.iter().any(|&(x, y)| !(x > 0.0 && y > 0.0)) {
        return None;
    }
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean_x = mean(&logs.iter().map(|log| log.0).collect::<Vec<_>>())?;
    let mean_y = mean(&logs.iter().map(|log| log.1).collect::<Vec<_>>())?;
    let spread: f64 = logs.iter().map(|log| (log.0 - mean_x).powi(2)).sum();
    let both: f64 = logs.iter().map(|log| (log.0 - mean_x) * (log.1 - mean_y)).sum();
    (spread > 0.0).then(|| both / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_of_the_list() {
        let sorted: Vec<f64> = (1..=200).map(f64::from).collect();
        let ranks = [0, 1, 50, 99, 100].map(|percent| percentile(&sorted, percent));
        assert_eq!(ranks, [1.0, 2.0, 100.0, 198.0, 200.0].map(Some));
        assert_eq!(percentile(&[7.0], 50), Some(7.0));
    }

    #[test]
    fn nothing_has_no_statistics() {
        assert_eq!((mean(&[]), percentile(&[], 50)), (None, None));
        for points in [&[][..], &[(2.0, 3.0)], &[(2.0, 3.0), (2.0, 4.0)], &[(1.0, 0.0), (2.0, 1.0)]] {
            assert_eq!(fitted_exponent(points), None, "{points:?}");
        }
    }
}
