//! The b-files of the On-Line Encyclopedia of Integer Sequences.

use std::fmt::{Display, Write};

/// The terms a(first), a(first + 1), … as a b-file: lines of n, a blank and a(n).
///
/// ```
/// use num_bigint::BigUint;
/// let powers: Vec<BigUint> = (0..3).map(|n| BigUint::from(3_u32).pow(n)).collect();
/// assert_eq!(toads_count::bfile(0, &powers), "0 1\n1 3\n2 9\n");
/// ```
pub fn bfile<T: Display>(first: u32, terms: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    for (n, term) in (first..).zip(terms) {
        writeln!(text, "{n} {term}").expect("writing to a string does not fail");
    }
    text
}
