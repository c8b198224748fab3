//! The hopless game solved: counts against a census, and the claims, by the binary.

use toads_tests::Scene;

const COUNTED: [&str; 8] = ["n", "numbers", "zeros", "P", "L", "R", "N", "distinct"];

#[test]
fn counts_equal_the_census_in_every_column() {
    let scene = Scene::new();
    let hopless = ["--variant", "hopless", "--format", "tsv"];
    let run = |arguments: &[&str]| scene.run(&[arguments, &hopless].concat()).expect_code(0);
    run(&[
        "census",
        "run",
        "--squares",
        "1..16",
        "--keep",
        "tallies",
        "--store",
        "c.db",
    ]);
    let census = run(&["query", "summary", "--store", "c.db"]);
    let count = run(&["count", "--squares", "1..16"]);
    assert_eq!(count.rows().len(), 16);
    for name in COUNTED.into_iter().chain(["strips"]) {
        assert_eq!(count.column(name), census.column(name), "{name}");
    }
    let distribution = run(&["count", "--squares", "16", "--distribution"]);
    let distinct = census.column("distinct");
    assert_eq!(
        Some(distribution.rows().len().to_string()).as_ref(),
        distinct.last()
    );
}

#[test]
fn every_column_has_its_place_and_is_empty_where_it_is_not_asked_for() {
    let scene = Scene::new();
    let count = |columns: &str| {
        let arguments = [
            "count",
            "--variant",
            "hopless",
            "--squares",
            "9",
            "--format",
            "tsv",
            "--columns",
            columns,
        ];
        scene.run(&arguments).expect_code(0).stdout
    };
    let header = "n\tstrips\tnumbers\tzeros\tP\tL\tR\tN\tdistinct\todd0\todd1\todd2";
    assert_eq!(
        count("numbers"),
        format!("{header}\n9\t19683\t14545\t\t\t\t\t\t\t\t\t\n")
    );
    assert_eq!(
        count("odd-gaps"),
        format!("{header}\todd3\n9\t19683\t\t\t\t\t\t\t\t14434\t4963\t285\t1\n")
    );
    assert_eq!(
        count("odd-gaps,numbers-by-odd-gaps"),
        format!(
            "{header}\todd3\tnumber0\tnumber2\n9\t19683\t\t\t\t\t\t\t\t14434\t4963\t285\t1\t14434\t111\n"
        )
    );
}

#[test]
fn counts_beyond_their_limits_are_left_out_with_a_word() {
    let scene = Scene::new();
    let count = scene
        .run(&[
            "count",
            "--variant",
            "hopless",
            "--squares",
            "150",
            "--format",
            "tsv",
        ])
        .expect_code(0);
    assert!(
        count.stderr.contains("zeros (to 120), outcomes (to 120)"),
        "{}",
        count.stderr
    );
    assert_eq!(count.column("zeros"), [""]);
    assert_eq!(count.column("odd0").len(), 1);
    let asked = [
        "count",
        "--variant",
        "hopless",
        "--squares",
        "150",
        "--columns",
        "zeros",
    ];
    assert!(scene.run(&asked).expect_code(2).stderr.contains("120"));
    let hop = scene.run(&["count", "--squares", "5"]).expect_code(2);
    assert!(hop.stderr.contains("--variant hopless"), "{}", hop.stderr);
}

#[test]
fn b_files_and_growth_rates() {
    let scene = Scene::new();
    let count = |more: &[&str]| {
        scene
            .run(
                &[
                    &[
                        "count",
                        "--variant",
                        "hopless",
                        "--format",
                        "tsv",
                        "--squares",
                    ],
                    more,
                ]
                .concat(),
            )
            .expect_code(0)
    };
    count(&["0..12", "--bfile", "oeis"]);
    let file = |name: &str| std::fs::read_to_string(scene.path("oeis").join(name)).expect(name);
    assert!(file("b-hopless-numbers.txt").starts_with("0 1\n1 3\n2 9\n3 26\n"));
    assert!(file("b-hopless-distinct.txt").ends_with("\n10 276\n11 411\n12 600\n"));
    assert!(file("b-hopless-odd1.txt").starts_with("0 0\n1 0\n2 0\n3 1\n"));
    assert!(file("b-hopless-odd-gaps-triangle.txt").starts_with("0 1\n1 3\n2 9\n3 26\n4 1\n"));
    let growth = count(&["1..400", "--columns", "odd-gaps", "--growth"]);
    assert_eq!(growth.column("sequence")[0], "odd0");
    // The largest root of r^3 = 3 r^2 + r - 4.
    assert!(
        growth.column("ratio")[0].starts_with("2.8608058531"),
        "{}",
        growth.stdout
    );
}

#[test]
fn the_claims_hold_and_print_the_figures_from_the_store_and_from_count() {
    let scene = Scene::new();
    let check =
        |more: &[&str]| scene.run(&[&["check", "hopless", "--format", "tsv"], more].concat());
    let alone = check(&[]).expect_code(0);
    assert!(
        alone.stderr.contains("no store was read"),
        "{}",
        alone.stderr
    );
    assert!(alone.column("as_recorded").iter().all(|cell| cell == "yes"));
    scene
        .run(&[
            "census",
            "run",
            "--variant",
            "hopless",
            "--squares",
            "1..9",
            "--store",
            "c.db",
        ])
        .expect_code(0);
    let with_store = check(&["--store", "c.db"]).expect_code(0);
    let figures = with_store.column("figures");
    let both = "from the store, from count and from enumeration, equal";
    assert_eq!(figures[0], format!("22,186 / 6,985 / 351 / 1 {both}"));
    assert_eq!(
        figures[1],
        format!("351 / 143 / 208 {both}; the first number is T.FT.F = 0")
    );
    assert_eq!(figures[2], format!("7,784 / 22,329 {both}"));
    assert_eq!(
        with_store.column("verdict")[3],
        "differs from print: 1–8 squares give 7,784; 7,746 is the sum for 4–8 squares"
    );
    for name in ["claim", "recorded", "bound", "cases", "statement", "source"] {
        assert!(
            with_store.column(name).iter().all(|cell| !cell.is_empty()),
            "{name}"
        );
    }
}

#[test]
fn a_store_without_the_strips_and_a_claim_that_is_none_are_refused() {
    let scene = Scene::new();
    scene
        .run(&["census", "run", "--squares", "1..3", "--store", "hop.db"])
        .expect_code(0);
    let refused = scene
        .run(&["check", "hopless-odd-gaps", "--store", "hop.db"])
        .expect_code(2);
    assert!(
        refused.stderr.contains("--variant hopless"),
        "{}",
        refused.stderr
    );
    assert!(
        scene
            .run(&["check", "E4711"])
            .expect_code(2)
            .stderr
            .contains("--list")
    );
    let list = scene
        .run(&["check", "--list", "--format", "tsv"])
        .expect_code(0);
    assert!(
        list.column("claim").len() > 20
            && list
                .column("recorded")
                .contains(&"differs from print".to_owned())
    );
}

#[test]
fn an_explanation_has_all_its_parts_as_text_and_as_data() {
    let scene = Scene::new();
    let strip = "T.T.FT.FF.T.F";
    let value = ["value", "--variant", "hopless", "--explain", strip];
    let text = scene.run(&value).expect_code(0).stdout;
    for part in [
        "walls",
        "component 1",
        "free moves",
        "contested gap",
        "switches",
        "cancel",
        "total",
    ] {
        assert!(text.contains(part), "no {part}:\n{text}");
    }
    let json = scene
        .run(&[&value[..], &["--format", "json"]].concat())
        .expect_code(0)
        .stdout;
    for part in [
        "walls",
        "owners",
        "weight",
        "moves",
        "contested",
        "switch",
        "cancelled",
        "surviving",
        "mean",
        "half_swing",
    ] {
        assert!(json.contains(&format!("\"{part}\":")), "no {part}:\n{json}");
    }
}
