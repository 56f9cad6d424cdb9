//! Whether groups differ by more than chance.

/// Statistic and probability of chance of the test of Kruskal and Wallis: are
/// the ranks (places in the order) of all values alike in each group?
///
/// `None` when there is nothing to compare: fewer than two groups, or all
/// values alike. The probability is that of the chi-squared distribution,
/// which is close from about five values per group on.
pub(super) fn kruskal_wallis(groups: &[Vec<f64>]) -> Option<(f64, f64)> {
    let mut values: Vec<(f64, usize)> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        values.extend(group.iter().map(|value| (*value, number)));
    }
    let n = values.len() as f64;
    let filled = groups.iter().filter(|group| !group.is_empty()).count();
    if filled < 2 || values.len() <= filled {
        return None;
    }
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut rank_sums = vec![0.0; groups.len()];
    let (mut at, mut ties) = (0usize, 0.0);
    for same in values.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let count = same.len() as f64;
        // Values alike share the mean of their places.
        let place = at as f64 + (count + 1.0) / 2.0;
        same.iter().for_each(|(_, group)| rank_sums[*group] += place);
        ties += count * count * count - count;
        at += same.len();
    }
    let correction = 1.0 - ties / (n * n * n - n);
    if correction <= 0.0 {
        return None;
    }
    let sum: f64 = groups
        .iter()
        .zip(&rank_sums)
        .filter(|(group, _)| !group.is_empty())
        .map(|(group, sum)| sum * sum / group.len() as f64)
        .sum();
    let statistic = (12.0 / (n * (n + 1.0)) * sum - 3.0 * (n + 1.0)) / correction;
    Some((statistic, chi_squared_above(statistic, (filled - 1) as f64)))
}

/// Probability that chi-squared with these degrees of freedom is above `x`.
///
/// The upper incomplete gamma function by its series below and its continued
/// fraction above the mean; Abramowitz and Stegun, 6.5.29 and 6.5.31.
fn chi_squared_above(x: f64, degrees: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let (a, x) = (degrees / 2.0, x / 2.0);
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut k) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-14 {
            k += 1.0;
            term *= x / k;
            sum += term;
        }
        return (1.0 - front * sum).clamp(0.0, 1.0);
    }
    let (mut b, mut c, mut d) = (x + 1.0 - a, 1e300, 1.0 / (x + 1.0 - a));
    let mut fraction = d;
    for k in 1..500 {
        let step = f64::from(k) * (a - f64::from(k));
        b += 2.0;
        d = 1.0 / (step * d + b);
        c = b + step / c;
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-14 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

/// Logarithm of the gamma function for halves of whole numbers, which is all
/// that degrees of freedom need: by its recurrence.
fn ln_gamma(a: f64) -> f64 {
    let is_whole = a.fract() < 0.25;
    let (mut at, mut sum) =
        if is_whole { (1.0, 0.0) } else { (0.5, std::f64::consts::PI.sqrt().ln()) };
    while at < a - 0.25 {
        sum += f64::ln(at);
        at += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_chi_squared_come_out() {
        // 5 % points of the distribution for 1, 2, 5 and 30 degrees.
        for (x, degrees) in [(3.841, 1.0), (5.991, 2.0), (11.070, 5.0), (43.773, 30.0)] {
            let above = chi_squared_above(x, degrees);
            assert!((above - 0.05).abs() < 1e-4, "{x} {degrees}: {above}");
        }
    }

    #[test]
    fn groups_alike_are_chance_and_groups_apart_are_not() {
        let alike = [vec![1.0, 4.0, 5.0, 8.0, 9.0], vec![2.0, 3.0, 6.0, 7.0, 10.0]];
        let apart = [vec![1.0, 2.0, 3.0, 4.0, 5.0], vec![11.0, 12.0, 13.0, 14.0, 15.0]];
        let chance = |groups: &[Vec<f64>]| kruskal_wallis(groups).expect("is a test").1;
        assert!(chance(&alike) > 0.8);
        assert!(chance(&apart) < 0.01);
        assert_eq!(kruskal_wallis(&[vec![1.0, 1.0], vec![1.0, 1.0]]), None);
        assert_eq!(kruskal_wallis(&[vec![1.0, 2.0]]), None);
    }
}
