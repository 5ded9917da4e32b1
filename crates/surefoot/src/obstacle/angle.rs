//! Sine and cosine that are the same on every machine. Those of the standard library may differ in the last bit.

use std::f64::consts::PI;

/// The sine and the cosine of a finite angle in degrees. Multiples of 90 degrees are exact.
pub(super) fn sin_cos(degrees: f64) -> (f64, f64) {
    // A remainder is exact, so a rotation does not drift however long it lasts.
    let rest = degrees % 360.0;
    let quarter = (rest / 90.0).round();
    let x = (rest - quarter * 90.0) * (PI / 180.0);
    let (sine, cosine) = (x * series(x * x, 3.0), series(x * x, 2.0));
    match (quarter as i32).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// `1 - x²/(n(n-1)) (1 - x²/((n+2)(n+1)) (1 - ...))`, where what is left out is below the last bit for `x` up to `PI / 4`.
fn series(square: f64, first: f64) -> f64 {
    (0..9).rev().fold(1.0, |sum, term| {
        let n = first + 2.0 * f64::from(term);
        1.0 - square / (n * (n - 1.0)) * sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_sine_and_cosine() {
        for step in -40_000..40_000 {
            let degrees = f64::from(step) * 0.017;
            let (sine, cosine) = sin_cos(degrees);
            assert!((sine - degrees.to_radians().sin()).abs() < 4e-15, "sine of {degrees}");
            assert!((cosine - degrees.to_radians().cos()).abs() < 4e-15, "cosine of {degrees}");
        }
    }

    #[test]
    fn quarters_are_exact() {
        let expected = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
        for quarter in -9..9_i32 {
            let (sine, cosine) = sin_cos(f64::from(quarter) * 90.0);
            assert_eq!((sine, cosine), expected[quarter.rem_euclid(4) as usize]);
        }
    }
}
