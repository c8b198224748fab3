//! Means and temperatures, each found a second way.

mod common;

use std::collections::HashMap;

use common::{arena, values_to};
use toads_game::notation::{display, parse};
use toads_game::{Arena, Dyadic, Thermographs, Value, WallPoint, Writer};

#[test]
fn walls_begin_at_the_stops_and_end_at_the_mast_on_every_strip_to_9_squares() {
    let arena = arena();
    let mut thermographs = Thermographs::new(&arena);
    for value in values_to(&arena, 9) {
        let graph = thermographs.get(value).unwrap().clone();
        assert_eq!(graph.left[0].stop, arena.left_stop(value));
        assert_eq!(graph.right[0].stop, arena.right_stop(value));
        assert_eq!(graph.left_stop_at(Dyadic::ZERO), arena.left_stop(value));
        for wall in [&graph.left, &graph.right] {
            assert_eq!(wall[0].temperature, Dyadic::ZERO);
            assert_eq!(wall[wall.len() - 1].stop, graph.mean);
            for pair in wall.windows(2) {
                let rise = pair[1]
                    .temperature
                    .checked_sub(pair[0].temperature)
                    .unwrap();
                let run = pair[1].stop.checked_sub(pair[0].stop).unwrap();
                assert!(rise > Dyadic::ZERO && (run == Dyadic::ZERO || run.abs() == rise));
            }
        }
        if let Some(number) = arena.as_number(value) {
            assert_eq!(graph.mean, number);
            let unit = Dyadic::new(-1, number.log2_denominator()).unwrap();
            assert_eq!(graph.temperature, unit);
            continue;
        }
        let t = graph.temperature;
        assert!(t >= Dyadic::ZERO);
        let top = (graph.left_stop_at(t), graph.right_stop_at(t));
        assert_eq!(top, (graph.mean, graph.mean));
        if t > Dyadic::ZERO {
            let below = t.half().unwrap();
            let text = display(&arena, value);
            assert!(
                graph.left_stop_at(below) > graph.right_stop_at(below),
                "{text}"
            );
        }
    }
    // Values share thermographs.
    assert!(
        thermographs.distinct() < arena.len() * 3 / 4,
        "{} of {}",
        thermographs.distinct(),
        arena.len()
    );
}

#[test]
fn thermographs_of_known_values() {
    let arena = Arena::new();
    let mut thermographs = Thermographs::new(&arena);
    let cases = [
        ("0", "0", "-1"),
        ("5", "5", "-1"),
        ("3/4", "3/4", "-1/4"),
        ("*", "0", "0"),
        ("^", "0", "0"),
        ("3v*2", "3", "0"),
        ("+-2", "0", "2"),
        ("{3|-1}", "1", "2"),
        ("{2||1|0}", "5/4", "3/4"),
        ("{4||2|0}", "5/2", "3/2"),
        ("{10||2|0}", "11/2", "9/2"),
        ("Tiny(5)", "0", "0"),
        ("{2|0||-4|-5}", "-7/4", "11/4"),
        ("{0,{5|-1}|-8}", "-3", "5"),
    ];
    for (text, mean, temperature) in cases {
        let value = parse(&arena, text).unwrap();
        assert_eq!(
            thermographs.mean(value).unwrap().to_string(),
            mean,
            "{text}"
        );
        assert_eq!(
            thermographs.temperature(value).unwrap().to_string(),
            temperature,
            "{text}"
        );
    }
    let value = parse(&arena, "{0,{5|-1}|-8}").unwrap();
    let wall = |points: &[WallPoint]| -> Vec<String> {
        points
            .iter()
            .map(|point| format!("({}, {})", point.temperature, point.stop))
            .collect()
    };
    // The walls of the Left options cross at 1.
    let graph = thermographs.get(value).unwrap();
    assert_eq!(
        wall(&graph.left),
        ["(0, 0)", "(1, -1)", "(3, -1)", "(5, -3)"]
    );
    assert_eq!(wall(&graph.right), ["(0, -8)", "(5, -3)"]);
    let value = parse(&arena, "{10||2|0}").unwrap();
    let graph = thermographs.get(value).unwrap();
    assert_eq!(wall(&graph.left), ["(0, 10)", "(9/2, 11/2)"]);
    assert_eq!(wall(&graph.right), ["(0, 2)", "(1, 2)", "(9/2, 11/2)"]);
}

/// The mean value theorem: n·mean ≤ LS(n·G) ≤ n·mean + t(G), and n·mean − t(G) ≤ RS(n·G) ≤ n·mean.
#[test]
fn stops_of_multiples_close_in_on_the_mean() {
    let arena = arena();
    let values = values_to(&arena, 6);
    let mut thermographs = Thermographs::new(&arena);
    let mut checked = 0;
    for value in values {
        if arena.as_number(value).is_some() {
            continue;
        }
        let mean = thermographs.mean(value).unwrap();
        let temperature = thermographs.temperature(value).unwrap();
        let (mut multiple, mut times_mean) = (value, mean);
        for n in 2..=6 {
            multiple = arena.add(multiple, value).unwrap();
            times_mean = times_mean.checked_add(mean).unwrap();
            let (left, right) = (arena.left_stop(multiple), arena.right_stop(multiple));
            let text = display(&arena, value);
            assert!(
                times_mean <= left && left <= times_mean.checked_add(temperature).unwrap(),
                "{n} times {text}"
            );
            assert!(
                right <= times_mean && times_mean.checked_sub(temperature).unwrap() <= right,
                "{n} times {text}"
            );
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
}

/// Cooling by its definition, in steps: G cooled by t is {Gᴸ cooled by t, less t | Gᴿ cooled by t, plus t}, unless that
/// was infinitesimally close to a number at some smaller temperature, which it is then.
struct Cooler<'a> {
    arena: &'a Arena,
    cooled: HashMap<(Value, i64), Value>,
    /// The temperature, in steps, and the mean.
    frozen: HashMap<Value, (i64, Dyadic)>,
}

/// Steps per unit of temperature.
const LOG2_STEPS: u32 = 4;

impl Cooler<'_> {
    fn taxed(&mut self, value: Value, step: i64) -> (Vec<Value>, Vec<Value>) {
        let arena = self.arena;
        let tax = arena
            .number(Dyadic::new(step, LOG2_STEPS).unwrap())
            .unwrap();
        let left: Vec<_> = arena.left_options(value).collect();
        let right: Vec<_> = arena.right_options(value).collect();
        (
            left.into_iter()
                .map(|option| arena.sub(self.cool(option, step), tax).unwrap())
                .collect(),
            right
                .into_iter()
                .map(|option| arena.add(self.cool(option, step), tax).unwrap())
                .collect(),
        )
    }

    fn freezing_point(&mut self, value: Value) -> (i64, Dyadic) {
        if let Some(&known) = self.frozen.get(&value) {
            return known;
        }
        for step in 0.. {
            let (left, right) = self.taxed(value, step);
            let left_stop = left
                .iter()
                .map(|&option| self.arena.right_stop(option))
                .max()
                .unwrap();
            let right_stop = right
                .iter()
                .map(|&option| self.arena.left_stop(option))
                .min()
                .unwrap();
            assert!(
                left_stop >= right_stop,
                "the steps are too large for {}",
                display(self.arena, value)
            );
            if left_stop == right_stop {
                self.frozen.insert(value, (step, left_stop));
                return (step, left_stop);
            }
        }
        unreachable!("every game freezes")
    }

    fn cool(&mut self, value: Value, step: i64) -> Value {
        if self.arena.as_number(value).is_some() {
            return value;
        }
        if let Some(&known) = self.cooled.get(&(value, step)) {
            return known;
        }
        let (freezing, mean) = self.freezing_point(value);
        let cooled = if step > freezing {
            self.arena.number(mean).unwrap()
        } else {
            let (left, right) = self.taxed(value, step);
            self.arena.canonical(&left, &right).unwrap()
        };
        self.cooled.insert((value, step), cooled);
        cooled
    }
}

#[test]
fn thermographs_are_the_stops_of_the_cooled_game() {
    let arena = arena();
    let mut values = values_to(&arena, 7);
    // The walls of options cross.
    let crossing = [
        "{0,{5|-1}|-8}",
        "{8|0,{1|-5}}",
        "{3,{9|1},{20|-4}||-9|-20}",
        "{6,{9|3||-9}|{0|-3},-1*}",
    ];
    values.extend(crossing.map(|text| parse(&arena, text).unwrap()));
    let mut thermographs = Thermographs::new(&arena);
    let mut cooler = Cooler {
        arena: &arena,
        cooled: HashMap::new(),
        frozen: HashMap::new(),
    };
    let mut writer = Writer::new(&arena);
    let mut checked = 0;
    for value in values {
        if arena.as_number(value).is_some() {
            continue;
        }
        let graph = thermographs.get(value).unwrap().clone();
        let (freezing, mean) = cooler.freezing_point(value);
        let text = writer.display(value);
        assert_eq!(
            graph.temperature,
            Dyadic::new(freezing, LOG2_STEPS).unwrap(),
            "{text}"
        );
        assert_eq!(graph.mean, mean, "{text}");
        for step in 0..=freezing + 2 {
            let t = Dyadic::new(step, LOG2_STEPS).unwrap();
            let cooled = cooler.cool(value, step);
            assert_eq!(
                graph.left_stop_at(t),
                arena.left_stop(cooled),
                "{text} cooled by {t}"
            );
            assert_eq!(
                graph.right_stop_at(t),
                arena.right_stop(cooled),
                "{text} cooled by {t}"
            );
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}
