//! The discrete Fourier transform, as far as finding a period needs it.

use std::f64::consts::TAU;

/// A complex number: real and imaginary part.
type Complex = (f64, f64);

/// Transforms in place (radix 2); the length must be a power of two.
fn transform(values: &mut [Complex]) {
    let n = values.len();
    let mut swap = 0;
    for at in 1..n {
        let mut bit = n >> 1;
        while swap & bit != 0 {
            swap ^= bit;
            bit >>= 1;
        }
        swap |= bit;
        if at < swap {
            values.swap(at, swap);
        }
    }
    // One turn in n steps; shorter blocks take every second of them, and so on.
    let turn = |k: usize| {
        let (sin, cos) = (-TAU * k as f64 / n as f64).sin_cos();
        (cos, sin)
    };
    let turns: Vec<Complex> = (0..n / 2).map(turn).collect();
    let mut size = 2;
    while size <= n {
        let step = n / size;
        for block in values.chunks_exact_mut(size) {
            let (low, high) = block.split_at_mut(size / 2);
            let steps = turns.iter().step_by(step);
            for ((a, b), (cos, sin)) in low.iter_mut().zip(high).zip(steps) {
                let turned = (b.0 * cos - b.1 * sin, b.0 * sin + b.1 * cos);
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        size *= 2;
    }
}

/// The signal without its mean, filled up with zeros.
fn padded(signal: &[f64], length: usize) -> Vec<Complex> {
    let mean = signal.iter().sum::<f64>() / signal.len().max(1) as f64;
    let mut values: Vec<Complex> = signal.iter().map(|v| (v - mean, 0.0)).collect();
    values.resize(length, (0.0, 0.0));
    values
}

/// Power at `k / signal.len()` cycles per sample, for k from 1 to half the
/// length, which must be a power of two.
pub(super) fn power(signal: &[f64]) -> Vec<f64> {
    let mut values = padded(signal, signal.len());
    transform(&mut values);
    values[1..=signal.len() / 2].iter().map(|(re, im)| re * re + im * im).collect()
}

/// Correlation of the signal with itself, moved by 0, 1, 2, ... samples: 1 at
/// no move. Each is divided by the energy of the parts that overlap, so that a
/// perfect repetition is 1 however few of them there are.
pub(super) fn autocorrelation(signal: &[f64]) -> Vec<f64> {
    let n = signal.len();
    let length = (2 * n).next_power_of_two();
    let mut values = padded(signal, length);
    let squares: Vec<f64> = values[..n].iter().map(|(re, _)| re * re).collect();
    transform(&mut values);
    for value in &mut values {
        *value = (value.0 * value.0 + value.1 * value.1, 0.0);
    }
    // The power is even: transforming again is the inverse, but for a factor.
    transform(&mut values);
    // Energy of the first and of the last n - k samples.
    let total: f64 = squares.iter().sum();
    let (mut head, mut tail) = (total, total);
    let mut correlation = Vec::with_capacity(n);
    for lag in 0..n {
        let energy = (head.max(0.0) * tail.max(0.0)).sqrt();
        let is_noise = energy <= total * 1e-9;
        let product = values[lag].0 / length as f64;
        correlation.push(if is_noise { 0.0 } else { product / energy });
        head -= squares[n - 1 - lag];
        tail -= squares[lag];
    }
    correlation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sine_has_its_power_at_its_frequency() {
        let sine: Vec<f64> = (0..64).map(|i| (TAU * 5.0 * f64::from(i) / 64.0).sin()).collect();
        let power = power(&sine);
        let strongest = power.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        assert_eq!(strongest.map(|(at, _)| at + 1), Some(5));
        let total: f64 = power.iter().sum();
        assert!(power[4] / total > 0.999, "{}", power[4] / total);
    }

    #[test]
    fn a_repetition_correlates_with_itself_at_its_period() {
        let pulses: Vec<f64> = (0..40).map(|i| if i % 10 < 2 { 1.0 } else { 0.0 }).collect();
        let correlation = autocorrelation(&pulses);
        assert!((correlation[0] - 1.0).abs() < 1e-9);
        assert!((correlation[10] - 1.0).abs() < 1e-9, "{}", correlation[10]);
        assert!(correlation[5] < 0.0);
    }

    #[test]
    fn a_constant_has_no_correlation() {
        assert!(autocorrelation(&[3.0; 16]).iter().all(|c| c.abs() < 1e-6));
    }
}
