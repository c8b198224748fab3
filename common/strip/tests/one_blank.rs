//! The closed form of strips with one blank, against the slow evaluator in `referee`, at great length, and as text.

#[allow(dead_code)] // shared with other tests, which use the rest
mod referee;

use referee::{Game, Player as Solver, Referee};
use std::time::Instant;
use toads_strip::one_blank::{self, Number, OneBlank};
use toads_strip::{Outcome, Square, Strip};

fn strip(text: &str) -> Strip {
    Strip::parse(text).unwrap()
}

fn form(text: &str) -> OneBlank {
    one_blank::analyse(&strip(text)).unwrap()
}

/// The strips of so many squares with one blank.
fn one_blanks(n: usize) -> impl Iterator<Item = Strip> {
    (0..n).flat_map(move |blank| {
        (0_u32..1 << (n - 1)).map(move |bits| {
            let piece = |at: usize| {
                if bits >> at & 1 == 0 {
                    Square::Frog
                } else {
                    Square::Toad
                }
            };
            let mut squares: Vec<_> = (0..n - 1).map(piece).collect();
            squares.insert(blank, Square::Blank);
            Strip::from(squares)
        })
    })
}

/// The number as the referee builds it, by halving.
fn number(referee: &mut Referee, number: Number) -> Game {
    fn build(referee: &mut Referee, m: i64, k: u32) -> Game {
        if m % 2 == 0 && k > 0 {
            return build(referee, m / 2, k - 1);
        }
        if k == 0 {
            return referee.integer(m);
        }
        let (below, above) = (build(referee, m - 1, k), build(referee, m + 1, k));
        referee.game([below].into(), [above].into())
    }
    let (m, k) = number.as_fraction().expect("a short strip");
    build(referee, m, k)
}

fn built(referee: &mut Referee, form: &OneBlank) -> Game {
    let referee = std::cell::RefCell::new(referee);
    form.fold(
        10_000,
        |n| Ok::<_, ()>(number(&mut referee.borrow_mut(), n)),
        |l, r| Ok(referee.borrow_mut().game([l].into(), [r].into())),
    )
    .unwrap()
}

#[test]
fn every_strip_with_one_blank_to_twelve_squares() {
    let (mut referee, mut solver) = (Referee::default(), Solver::default());
    for position in (1..=12).flat_map(one_blanks) {
        let (text, form) = (position.to_string(), one_blank::analyse(&position).unwrap());
        let value = referee.value(&text, true);
        assert_eq!(built(&mut referee, &form), value, "{text} = {form}");
        assert_eq!(form.birthday(), referee.birthday(value), "{text} = {form}");
        let wins = [true, false].map(|left| solver.first_wins(&text, true, left));
        let outcome = Outcome::from_first_player_wins(wins[0], wins[1]);
        assert_eq!(form.outcome(), outcome, "{text} = {form}");
        assert_eq!(
            one_blank::analyse(&position.mirror()).map(|form| form.to_string()),
            Some((-form).to_string()).map(|text| text.replace("-0", "0").replace("--", "")),
            "{text}"
        );
    }
}

#[test]
fn other_numbers_of_blanks_are_not_ours() {
    for text in ["TF", "T..F", ".T.", "T"] {
        assert_eq!(one_blank::analyse(&strip(text)), None, "{text}");
        assert_eq!(one_blank::explain(&strip(text)), None, "{text}");
    }
}

#[test]
fn ten_thousand_squares() {
    for text in [
        "T^9999 .",
        "T . (TF)^5000",
        "T^3333 . (TF)^1666 T F^3333",
        "T^5000 . F T F^4998",
        "T^5000 . T F^4998",
        "F^100 (TF)^1000 T^3000 . F (TF)^900 T F^2999 (TTF)^10",
        "(TTF)^1600 T . F (TFF)^1733",
    ] {
        let strip = strip(text);
        let start = Instant::now();
        let form = one_blank::analyse(&strip).unwrap();
        let took = start.elapsed();
        println!(
            "{text}: {} squares, {} steps, {} subpositions, {took:?}",
            strip.len(),
            form.steps().len(),
            form.subpositions()
        );
        assert!(form.steps().len() <= strip.len());
        assert!(form.to_string().len() <= 40 * strip.len());
        let text = one_blank::explain(&strip).unwrap().to_string();
        assert!(text.contains("Lemma 4."), "{text}");
    }
}

/// The steps are folded, printed and dropped without recursion.
#[test]
fn a_million_squares_on_a_small_stack() {
    let on_a_small_stack = std::thread::Builder::new().stack_size(64 * 1024);
    let thread = on_a_small_stack.spawn(|| {
        let form = form("T^333333 . F T F^666664");
        assert_eq!(form.steps().len(), 333_332);
        assert!(form.to_string().ends_with("|0}"));
        assert_eq!(form.outcome(), Outcome::N);
        let form = self::form("T^300 . F T F^300");
        let mut games = 0_u64;
        let depth = form.fold(
            1_000_000,
            |_| Ok::<u64, ()>(0),
            |left, right| {
                games += 1;
                Ok(1 + left.max(right))
            },
        );
        assert_eq!(depth, Ok(form.birthday()));
        assert!(games < form.subpositions());
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn numbers_of_any_size() {
    let form = form("T . (TF)^5000");
    assert_eq!(form.to_string(), "1/2^5000");
    assert_eq!(form.temperature().to_string(), "-1/2^5000");
    assert_eq!(form.birthday(), 5001);
    let switch = self::form("T^4 . (TF)^3000");
    assert_eq!(switch.to_string(), "{3|1/2^2999}");
    assert_eq!(switch.mean().to_string(), "3/2+1/2^3000");
    assert_eq!(switch.temperature().to_string(), "3/2-1/2^3000");
    let mirrored = self::form("(TF)^3000 . F^4");
    assert_eq!(mirrored.to_string(), "-{3|1/2^2999}");
    assert_eq!(mirrored.left_stop().to_string(), "-1/2^2999");
    assert_eq!(mirrored.right_stop().to_string(), "-3");
}

#[test]
fn explained() {
    let text = one_blank::explain(&strip("FTFF T^3 . F T F^3 TT"))
        .unwrap()
        .to_string();
    assert_eq!(text, include_str!("one_blank.txt"));
}
