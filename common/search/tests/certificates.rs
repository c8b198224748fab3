//! Certificates: what the search writes the checker accepts, and no change of a byte makes it accept what is false.

mod support;

use proptest::prelude::*;
use support::Forms;
use toads_game::{Arena, Relation, Value};
use toads_search::{CertificateError, Limits, SearchError, Searcher, Sum, certify};
use toads_strip::{Square, Strip, Variant};

const LIMIT: usize = 1 << 24;

fn limits() -> Limits {
    Limits {
        memory: 64 << 20,
        ..Limits::default()
    }
}

fn certificate(arena: &Arena, variant: Variant, g: &Sum, h: &Sum) -> (Relation, String) {
    let mut searcher = Searcher::new(arena, variant, limits());
    let relation = searcher.compare(g, h).unwrap().relation().unwrap();
    let text = searcher.certificate(g, h, relation, LIMIT).unwrap();
    (relation, text)
}

fn read(arena: &Arena, text: &str) -> Sum {
    toads_game::notation::parse(arena, text).unwrap().into()
}

fn strip(text: &str) -> Sum {
    Strip::parse(text).unwrap().into()
}

#[test]
fn strategies_are_accepted() {
    let arena = Arena::new();
    for (g, h, relation) in [
        ("T.F", "0", "||"),
        ("T.F", "*", "="),
        ("TT..FF", "*", "="),
        ("T^3 .^3 F^3", "0", "="),
        ("T^3 .^2 F^3", "{1/8|-1/8}", "="),
        ("T^4 .^3 F^3", "{1||1/2|0}", "="),
        ("T^4 .^3 F^3", "1/4", ">"),
        ("T^4 .^4 F^3", "3/2", "<"),
        ("T^2 .^9 F^2", "0", "="),
        ("T.FT..TF.F", "^", ">"),
        ("T^2 .F", "1/2", "||"),
    ] {
        let (found, text) = certificate(&arena, Variant::Hop, &strip(g), &read(&arena, h));
        let proved = certify(&text).unwrap_or_else(|error| panic!("{g} {h}: {error}\n{text}"));
        assert_eq!(
            (found.to_string(), &proved.relation[..]),
            (relation.to_owned(), relation),
            "{g}"
        );
        assert_eq!(Strip::parse(&proved.left), Strip::parse(g));
    }
}

#[test]
fn a_small_one_reads_like_a_case_tree() {
    let arena = Arena::new();
    let (_, text) = certificate(&arena, Variant::Hop, &strip("TT.FF"), &read(&arena, "*"));
    let expected = "\
toads certificate 1
variant hop
claim TT.FF = {0|0}
node 1 TF.TF
  a5 !
node 2 .TFTF
  a3 a2 !
node 3 T.FTF + {0|0}
  a3 b1 1
  b1 a1 2
node 4 T.TFF
  a4 a3 1
node 5 TT.FF + {0|0}
  a4 a2 3
  b1 a2 4
G - H >= 0 by 5
H - G >= 0 by 5
checksum 454f97ed201d4e8d
";
    assert_eq!(text, expected);
}

fn squares(range: std::ops::Range<usize>) -> impl Strategy<Value = Strip> {
    prop::collection::vec(prop::sample::select(&Square::ALL[..]), range).prop_map(Strip::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_strips_have_strategies(
        g in squares(4..10), h in squares(4..9), variant in prop::sample::select(&Variant::ALL[..])
    ) {
        let arena = Arena::new();
        let mut forms = Forms::new(&arena);
        let relation = arena.compare(forms.value(&g, variant), forms.value(&h, variant));
        let (found, text) = certificate(&arena, variant, &g.clone().into(), &h.clone().into());
        prop_assert_eq!(found, relation);
        let proved = certify(&text).unwrap();
        prop_assert_eq!(proved.relation, relation.to_string());
        prop_assert_eq!((proved.left, proved.right), (g.to_string(), h.to_string()));
    }

    #[test]
    fn nothing_read_makes_the_checker_panic(text in "(?s).{0,200}") {
        let _ = certify(&text);
    }
}

/// −2^127 has no absolute value in 128 bits, and twice it is 0 there.
#[test]
fn numbers_beyond_the_range_of_the_checker_prove_nothing() {
    let claim = |claim: &str| {
        let text = format!(
            "toads certificate 1\nvariant hop\nclaim {claim}\nG - H >= 0 by !\nH - G >= 0 by !\nchecksum\n"
        );
        certify(&resealed(&text).unwrap())
    };
    let least = i128::MIN;
    assert!(claim(&format!("{least} + {least} = 0")).is_err());
    for beyond in [least, -(1 << 60), 1 << 60] {
        assert!(claim(&format!("{beyond} = {beyond}")).is_err(), "{beyond}");
    }
    let largest = (1_i128 << 60) - 1;
    assert!(claim(&format!("{largest} = {largest}")).is_ok());
    assert!(claim(&format!("-{largest} = -{largest}")).is_ok());
}

/// The text with the right checksum for what stands before it.
fn resealed(text: &str) -> Option<String> {
    let body = &text[..=text.trim_end_matches('\n').rfind('\n')?];
    let hash = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    Some(format!("{body}checksum {hash:016x}\n"))
}

/// Whether what is claimed is so, by canonical forms.
fn is_true(forms: &mut Forms<'_>, proved: &toads_search::Proved) -> bool {
    let arena = forms.arena();
    let variant: Variant = proved.variant.parse().unwrap();
    let mut value = |text: &str| -> Value {
        let mut sum = Value::ZERO;
        let mut negated = false;
        for word in text.split(' ') {
            if word == "+" || word == "-" {
                negated = word == "-";
                continue;
            }
            let value = match Strip::parse(word) {
                Ok(strip) => forms.value(&strip, variant),
                Err(_) => toads_game::notation::parse(arena, word).unwrap(),
            };
            sum = if negated {
                arena.sub(sum, value).unwrap()
            } else {
                arena.add(sum, value).unwrap()
            };
        }
        sum
    };
    let (left, right) = (value(&proved.left), value(&proved.right));
    arena.compare(left, right).to_string() == proved.relation
}

#[test]
fn one_changed_byte_is_refused_or_still_a_proof() {
    let arena = Arena::new();
    let mut forms = Forms::new(&arena);
    let (mut changed, mut accepted) = (0, 0);
    for (g, h) in [
        ("T.F", "*"),
        ("TT.FF", "0"),
        ("T.FTF", "1/2"),
        ("TT..F", "1"),
        ("TT.FTF", "{1|1/2}"),
    ] {
        let (_, text) = certificate(&arena, Variant::Hop, &strip(g), &read(&arena, h));
        let body = text.rfind("checksum").unwrap();
        for at in 0..text.len() {
            for byte in (b' '..=b'~').chain([b'\n']) {
                let mut bytes = text.clone().into_bytes();
                if bytes[at] == byte {
                    continue;
                }
                bytes[at] = byte;
                let broken = String::from_utf8(bytes).unwrap();
                assert!(
                    certify(&broken).is_err(),
                    "the checksum misses it: {broken}"
                );
                changed += 1;
                if at >= body {
                    continue;
                }
                // With a checksum made to fit, only the proof stands between the change and us.
                let Some(sealed) = resealed(&broken) else {
                    continue;
                };
                if let Ok(proved) = certify(&sealed) {
                    accepted += 1;
                    assert!(is_true(&mut forms, &proved), "{sealed}");
                }
            }
        }
    }
    assert!(changed > 50_000, "{changed}");
    assert!(
        accepted > 0 && accepted < changed / 20,
        "{accepted} of {changed} are still proofs"
    );
}

#[test]
fn sizes_are_limited_and_other_files_refused() {
    let arena = Arena::new();
    let mut searcher = Searcher::new(&arena, Variant::Hop, limits());
    let (g, h) = (strip("T^3 .^4 F^3"), read(&arena, "*"));
    let relation = searcher.compare(&g, &h).unwrap().relation().unwrap();
    let error = searcher.certificate(&g, &h, relation, 500).unwrap_err();
    assert_eq!(error, SearchError::CertificateTooLarge { limit: 500 });
    // What is not so has no strategy.
    let error = searcher
        .certificate(&g, &h, Relation::Less, LIMIT)
        .unwrap_err();
    assert_eq!(error, SearchError::NoReply);
    for text in ["", "toads certificate 2\n", "hello"] {
        assert!(
            matches!(certify(text), Err(CertificateError::Unknown { .. })),
            "{text}"
        );
    }
}
