//! How a measure grows with the size of its input.

/// Slope of the logarithms of points `(x, y)`, by least squares: 1 is linear, 0.5 a square root.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let (mean_x, mean_y) = logs
        .iter()
        .fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
    let over: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let under: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    over / under
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_powers() {
        let points = |power: f64| -> Vec<(f64, f64)> {
            [10.0_f64, 100.0, 1000.0]
                .iter()
                .map(|x| (*x, 3.0 * x.powf(power)))
                .collect()
        };
        assert!((exponent(&points(1.0)) - 1.0).abs() < 1e-9);
        assert!((exponent(&points(0.5)) - 0.5).abs() < 1e-9);
    }
}
