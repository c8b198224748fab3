//! The text of an explanation.

use toads_strip::{Strip, hopless};

fn text(strip: &str) -> String {
    hopless::explain(&Strip::parse(strip).unwrap()).to_string()
}

#[test]
fn a_strip_explained() {
    assert_eq!(text("TT.F.T.T...F.T.FTF"), include_str!("explained.txt"));
}

#[test]
fn long_strips_are_not_drawn_and_wide_ones_wrap() {
    assert!(!text("(T.F)200").contains("owner"));
    let wrapped = text("(T.F)30");
    assert_eq!(wrapped.matches("\n  owner").count(), 4);
    let drawing = wrapped.split("walls").next().unwrap();
    assert!(
        drawing.lines().skip(1).all(|line| line.len() <= 100),
        "{drawing}"
    );
}

#[test]
fn plain_strips() {
    let last = "\ntotal\n  value 0\n  outcome P: the second player wins\n  \
        Left stop 0, Right stop 0, mean 0, temperature -1, birthday 0\n";
    assert!(text("...").ends_with(last), "{}", text("..."));
    assert!(text("T.F").contains("  value *\n"), "{}", text("T.F"));
    assert!(
        text("TT.FF").contains("  value ±1 = {1|-1}\n"),
        "{}",
        text("TT.FF")
    );
}
