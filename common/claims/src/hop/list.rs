//! The claims of the groups `hop-lemmas`, `hop-families` and `hop-tables`.

use super::{families, lemmas, tables, tails};
use crate::claim::{Claim, Reach, Scope, Standing};
use crate::finding::{Finding, Verdict};

const ERICKSON: &str = "Erickson, New Toads and Frogs results (1996)";
const PAPER: &str = "Thanatipanonda, Further hopping with Toads and Frogs (2011)";

/// A claim that holds, with its least, default and greatest bound.
const fn claim(
    id: &'static str,
    group: &'static str,
    statement: &'static str,
    source: &'static str,
    reach: [u32; 3],
    test: fn(&Scope<'_>) -> Finding,
) -> Claim {
    let [least, default, most] = reach;
    Claim {
        id,
        group,
        statement,
        source,
        standing: Standing::Checked,
        recorded: Verdict::Holds,
        shows_from: 0,
        reach: Reach {
            least,
            default,
            most,
        },
        reads_census: false,
        test,
    }
}

/// A lemma of section 4 of the paper; the bound is the length of the words L̄ and R̄.
const fn lemma(
    id: &'static str,
    statement: &'static str,
    test: fn(&Scope<'_>) -> Finding,
) -> Claim {
    by_squares(id, statement, [0, 4, 6], test)
}

/// A lemma that is tested on all strips of so many squares.
const fn by_squares(
    id: &'static str,
    statement: &'static str,
    reach: [u32; 3],
    test: fn(&Scope<'_>) -> Finding,
) -> Claim {
    Claim {
        standing: Standing::Published,
        ..claim(id, "hop-lemmas", statement, PAPER, reach, test)
    }
}

/// A theorem or conjecture on a family.
const fn family(
    id: &'static str,
    statement: &'static str,
    source: &'static str,
    standing: Standing,
    reach: [u32; 3],
    test: fn(&Scope<'_>) -> Finding,
) -> Claim {
    Claim {
        standing,
        ..claim(id, "hop-families", statement, source, reach, test)
    }
}

/// A published table.
const fn table(
    id: &'static str,
    statement: &'static str,
    reach: [u32; 3],
    test: fn(&Scope<'_>) -> Finding,
) -> Claim {
    claim(id, "hop-tables", statement, PAPER, reach, test)
}

/// In the order in which they are best read.
pub(crate) const CLAIMS: &[Claim] = &[
    by_squares(
        "lemma-4.1",
        "One-sided Death Leap: if no two blanks are adjacent and Left can only jump, the value is at most 0.",
        [1, 11, 14],
        lemmas::one_sided_death_leap,
    ),
    lemma(
        "lemma-4.2-walls",
        "P FF . Q = . Q for words P, Q without a blank.",
        lemmas::double_frog,
    ),
    lemma(
        "lemma-4.2",
        "L T^a . = a for every word L that is empty or ends with F.",
        lemmas::run,
    ),
    by_squares(
        "lemma-4.3",
        "Death Leap: one blank, and both players can only jump: the value is 0.",
        [1, 13, 20],
        lemmas::death_leap,
    ),
    lemma(
        "lemma-4.4",
        "L T . F R = * for words L, R: L is empty or ends with F, R is empty or begins with T (so in 4.5 to 4.9).",
        lemmas::singles,
    ),
    lemma(
        "lemma-4.5",
        "L T^a . F^b R = * for a, b >= 2.",
        lemmas::runs,
    ),
    lemma(
        "lemma-4.6",
        "L T^a . (TF)^b = {a-1 | 1/2^(b-1)} for a, b >= 1.",
        lemmas::guarded_end,
    ),
    lemma(
        "lemma-4.7",
        "L T^a . F (TF)^b = {{a-2 | 1/2^b} | 0} for a >= 2, b >= 0.",
        lemmas::facing_end,
    ),
    lemma(
        "lemma-4.8",
        "L T^a . (TF)^b T F^c R = {a-1 | O^b(x)}, x = L T^a F (TF)^b T . F^(c-1) R, O(x) = {0|x}, for a >= 1, b >= 0, c >= 2.",
        lemmas::guarded,
    ),
    lemma(
        "lemma-4.9",
        "L T^a . F (TF)^b T F^c R = {{a-2 | O^(b+1)(x)} | 0}, x = L T^(a-1) F (TF)^(b+1) T . F^(c-1) R, for a >= 2, b >= 0, c >= 2.",
        lemmas::facing,
    ),
    by_squares(
        "theorem-1",
        "Lemmas 4.2 to 4.9 and their mirror images give the value of every strip with one blank.",
        [1, 13, 20],
        lemmas::theorem_1,
    ),
    family(
        "theorem-2",
        "T^a .^2 F^a is infinitesimal for a >= 4.",
        PAPER,
        Standing::Published,
        [10, 16, 24],
        families::theorem_2,
    ),
    family(
        "two-blanks",
        "T . (TF)^n . = 1/2^(n-1) and . T (TF)^n . F = -1/2^(n+1) for n >= 1: what Lemma 5.1 of the paper may speak of, found by computation as its blanks are lost.",
        "this project",
        Standing::Conjectured,
        [5, 18, 40],
        families::halving,
    ),
    family(
        "E1",
        "T^a .^2 F^b = {{a-3 | a-b} | {* | 3-b}} for a > b >= 2.",
        ERICKSON,
        Standing::Published,
        [7, 14, 24],
        families::e1,
    ),
    family(
        "E2",
        "T^a .^3 F^2 = {a-2 | a-2} for a >= 2.",
        ERICKSON,
        Standing::Published,
        [7, 20, 60],
        families::e2,
    ),
    family(
        "E3",
        "T^a .^3 F^3 = a - 7/2 for a >= 5.",
        ERICKSON,
        Standing::Published,
        [11, 16, 40],
        families::e3,
    ),
    Claim {
        recorded: Verdict::Refuted,
        shows_from: 20,
        ..family(
            "E4",
            "T^a .^a F^(a-1) is 1 or 1* for all a >= 1. On record: refuted by T^7 .^7 F^6.",
            ERICKSON,
            Standing::Conjectured,
            [5, 17, 23],
            families::e4,
        )
    },
    family(
        "E5",
        "T^a .^b F^a is infinitesimal for all a, b but (3, 2), where it is {1/8 | -1/8}.",
        ERICKSON,
        Standing::Conjectured,
        [8, 14, 24],
        families::e5,
    ),
    family(
        "T1.1",
        ".^r T^a .^b F .^r = {{a-2 | 1} | 0} for r = 0, b = 1; else (a-1)(b-1+r) for even b, (r, b) not (0, 0); that plus * for odd b.",
        PAPER,
        Standing::Conjectured,
        [3, 16, 30],
        families::t1_1,
    ),
    family(
        "T1.2",
        ".^(r-1) T^a .^b F .^r = (a-1)(b-1+r) for even b, 1/2 more for odd b, r >= 1.",
        PAPER,
        Standing::Conjectured,
        [4, 16, 30],
        families::t1_2,
    ),
    family(
        "T1.3",
        ".^l T^a .^b F .^r = (r-l-1) + (a-1)(b-1+r) for r - l >= 2.",
        PAPER,
        Standing::Conjectured,
        [5, 15, 30],
        families::t1_3,
    ),
    family(
        "T2",
        "T^2 .^a F^2 = * if a = 7 + 6n, else 0, for a >= 7.",
        PAPER,
        Standing::Conjectured,
        [13, 60, 124],
        tails::t2,
    ),
    family(
        "T3",
        "T^a .^b F^a = * for a > b > 0, b not 2.",
        PAPER,
        Standing::Conjectured,
        [3, 14, 24],
        families::t3,
    ),
    family(
        "T4",
        "T^a .^b F^a is 0 or * for b >= a > 0.",
        PAPER,
        Standing::Conjectured,
        [3, 15, 24],
        families::t4,
    ),
    family(
        "T5-C3",
        "T^3 .^a F^3 = 0 for all a from some a0 on.",
        PAPER,
        Standing::Conjectured,
        [1, 24, 122],
        tails::t5_three,
    ),
    family(
        "T5-C4",
        "T^4 .^a F^4 = 0 for all a from some a0 on.",
        PAPER,
        Standing::Conjectured,
        [1, 9, 120],
        tails::t5_four,
    ),
    Claim {
        recorded: Verdict::DiffersFromPrint,
        shows_from: 21,
        ..table(
            "table-3.1",
            "Table 3.1 as published: T^a .^b F^a. On record: T^5 .^11 F^5 differs (docs/ERRATA.md).",
            [12, 14, 24],
            tables::table_1,
        )
    },
    table(
        "table-3.1-remark-1",
        "T^2 .^b F^2 for b = 21 to 103, as published.",
        [25, 40, 107],
        tables::remark_1,
    ),
    table(
        "table-3.1-remark-2",
        "T^3 .^b F^3 for b = 21 to 53, as published.",
        [27, 27, 59],
        tables::remark_2,
    ),
    table(
        "table-3.2",
        "Table 3.2 as published: T^a .^b F^(a-1).",
        [12, 14, 22],
        tables::table_2,
    ),
    Claim {
        recorded: Verdict::DiffersFromPrint,
        ..table(
            "table-3.3",
            "Table 3.3 as published: T^a .^b F^(a-2). On record: T^5 .^4 F^3 differs (docs/ERRATA.md).",
            [12, 14, 21],
            tables::table_3,
        )
    },
    table(
        "table-3.4",
        "Table 3.4 as published: T^a .^b F^(a-3).",
        [12, 14, 20],
        tables::table_4,
    ),
];
