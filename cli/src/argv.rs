//! A leading minus is data, not a flag: `toads value -1/2` asks for the value −1/2.
//!
//! Clap would read `-1/2` as short flags. Such words get a blank in front, which readers of positions and values skip, and
//! which what clap says of them leaves out. A word behind `query … --value` needs none: it cannot be a flag.

use std::ffi::OsString;

/// The verbs whose arguments are positions and values.
const VERBS_WITH_DATA: [&str; 2] = ["value", "compare"];

/// Puts a blank in front of every word that begins with one minus and is no cluster of short flags.
pub(crate) fn protect_data(args: Vec<OsString>) -> Vec<OsString> {
    let verb = args
        .iter()
        .skip(1)
        .find_map(|arg| arg.to_str().filter(|text| VERBS_WITH_DATA.contains(text)));
    if verb.is_none() {
        return args;
    }
    args.into_iter()
        .map(|arg| {
            if arg.to_str().is_some_and(is_data) {
                prefixed(&arg)
            } else {
                arg
            }
        })
        .collect()
}

/// What clap says of such a word, as it was typed.
pub(crate) fn unprotect(said: &str) -> String {
    said.replace("' -", "'-").replace("` -", "`-")
}

/// `-1/2`, `-T.F` and `-{1|0}` are data; `-`, `--format` and `-vq` are not.
fn is_data(arg: &str) -> bool {
    let Some(rest) = arg.strip_prefix('-') else {
        return false;
    };
    !rest.is_empty() && !rest.starts_with('-') && !rest.chars().all(|c| "vqhV".contains(c))
}

fn prefixed(arg: &OsString) -> OsString {
    let mut data = OsString::from(" ");
    data.push(arg);
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protected(line: &str) -> String {
        let args = line.split(' ').map(OsString::from).collect();
        let words: Vec<_> = protect_data(args)
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect();
        words.join("|")
    }

    #[test]
    fn data_is_told_from_flags() {
        assert_eq!(
            protected("toads value -1/2 T.F - -v --format tsv"),
            "toads|value| -1/2|T.F|-|-v|--format|tsv"
        );
        assert_eq!(
            protected("toads -vv query strips --value -*"),
            "toads|-vv|query|strips|--value|-*"
        );
        assert_eq!(protected("toads census run -x"), "toads|census|run|-x");
    }
}
