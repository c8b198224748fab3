//! `README.md`: the dataset card, for people and for the places where datasets are shared.

use std::fmt::Write as _;

use super::manifest::{Manifest, ManifestRun};

/// The card of an export: YAML front matter as Hugging Face reads it, then what the files mean.
pub(super) fn of(manifest: &Manifest) -> String {
    let mut card = String::new();
    write_card(manifest, &mut card).expect("memory takes every write");
    card
}

fn write_card(manifest: &Manifest, card: &mut String) -> std::fmt::Result {
    let Manifest {
        dataset,
        producer,
        license,
        fingerprint,
        digest,
        ..
    } = manifest;
    let strips = manifest.strips();
    writeln!(card, "---\nlicense: {}", license.to_lowercase())?;
    writeln!(card, "pretty_name: \"{dataset}\"\nlanguage: en")?;
    writeln!(
        card,
        "tags: [mathematics, combinatorial-game-theory, toads-and-frogs, tabular]"
    )?;
    writeln!(card, "size_categories: [{}]", size(strips))?;
    configs(manifest, card)?;
    writeln!(card, "---\n\n# {dataset}\n")?;
    writeln!(
        card,
        "*Toads and Frogs* is played on a strip of n squares, each empty (`.`) or holding a toad (`T`) or a frog (`F`). Left \
         moves a toad one square to the right, or lets it jump over one frog; Right moves a frog to the left, likewise \
         (in `hopless` strips nobody jumps). Who cannot move loses. Each of the 3^n strips has a value in the sense of \
         Conway; this dataset has them all.\n"
    )?;
    writeln!(
        card,
        "| variant | n | strips | classes | digest |\n|---|---|---|---|---|"
    )?;
    for ManifestRun {
        variant,
        first_n,
        last_n,
        strips,
        classes,
        digest,
    } in &manifest.runs
    {
        writeln!(
            card,
            "| {variant} | {first_n}..{last_n} | {strips} | {classes} | `{digest}` |"
        )?;
    }
    if manifest.partial {
        writeln!(card, "\n**Incomplete.** The run was not finished:\n")?;
        for missing in &manifest.missing {
            writeln!(card, "- {missing}")?;
        }
    }
    for table in &manifest.tables {
        let rows = manifest.rows(&table.name);
        writeln!(card, "\n## `{}`: {rows} rows\n", table.name)?;
        writeln!(card, "| column | type | meaning |\n|---|---|---|")?;
        for column in &table.columns {
            let (name, kind, says) = (&column.name, &column.kind, &column.description);
            writeln!(card, "| `{name}` | {kind} | {says} |")?;
        }
    }
    if manifest.tables.is_empty() {
        writeln!(card, "\n## Files\n\n| file | rows |\n|---|---|")?;
        for file in &manifest.files {
            writeln!(card, "| `{}` | {} |", file.path, file.rows)?;
        }
    }
    writeln!(
        card,
        "\n## Provenance\n\nComputed and exported by {producer}; rules and ids: fingerprint `{fingerprint}`; content digest \
         `{digest}`. `sha256sum -c SHA256SUMS` checks the files; `MANIFEST.json` lists them. The same census gives the \
         same bytes, whoever computes it.\n\nLicence of the data: {license}. These are mathematical facts; use them as you like. \
         Whoever cites them helps others by naming the digest.",
    )
}

/// Which files are which table, for readers that load a folder by its card.
fn configs(manifest: &Manifest, card: &mut String) -> std::fmt::Result {
    if manifest.tables.is_empty() {
        return Ok(());
    }
    writeln!(card, "configs:")?;
    for table in &manifest.tables {
        let name = &table.name;
        let is_partitioned = manifest.format == "parquet" && name == "strips";
        let files = if is_partitioned {
            "strips/*/*/*.parquet".to_owned()
        } else {
            format!("{name}.{}", manifest.format)
        };
        writeln!(
            card,
            "- config_name: {name}\n  data_files: \"{files}\"{}",
            if name == "strips" {
                "\n  default: true"
            } else {
                ""
            }
        )?;
    }
    Ok(())
}

/// The size as Hugging Face sorts it.
fn size(rows: u64) -> String {
    const STEPS: [(u64, &str); 10] = [
        (1_000, "1K"),
        (10_000, "10K"),
        (100_000, "100K"),
        (1_000_000, "1M"),
        (10_000_000, "10M"),
        (100_000_000, "100M"),
        (1_000_000_000, "1B"),
        (10_000_000_000, "10B"),
        (100_000_000_000, "100B"),
        (1_000_000_000_000, "1T"),
    ];
    match STEPS.iter().position(|&(step, _)| rows < step) {
        Some(0) => "n<1K".to_owned(),
        Some(at) => format!("{}<n<{}", STEPS[at - 1].1, STEPS[at].1),
        None => "n>1T".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_named_by_powers_of_ten() {
        for (rows, name) in [
            (3, "n<1K"),
            (1_000, "1K<n<10K"),
            (64_570_080, "10M<n<100M"),
            (581_130_732, "100M<n<1B"),
            (2_000_000_000_000, "n>1T"),
        ] {
            assert_eq!(size(rows), name);
        }
    }
}
