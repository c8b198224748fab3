//! The small files of a store: `FORMAT`, `HOLDER`.

use std::fs;
use std::path::Path;

use toads_fuzz::{Fuzz, assert_clear, folder};
use toads_store::holder::HOLDER_FILE;
use toads_store::stamp::STAMP_FILE;
use toads_store::{Holder, Stamp};

#[test]
fn stamps() {
    let folder = folder();
    let path = folder.path();
    let ours = Stamp::current();
    let seeds = [
        format!(
            "toads store\nformat {}\nfingerprint {}\n",
            ours.format, ours.fingerprint
        ),
        "toads store\nformat 3\nsomething new\n".to_owned(),
    ];
    let words = &["toads store\n", "format ", "fingerprint ", "\n", "+"];
    Fuzz::new("stamps").seeds(seeds).words(words).run(|input| {
        fs::write(path.join(STAMP_FILE), input).unwrap();
        match Stamp::read(path) {
            Ok((stamp, _)) => {
                if let Err(error) = stamp.check(Path::new("x")) {
                    assert_clear(&error);
                } else {
                    assert_eq!(stamp, ours);
                }
                true
            }
            Err(error) => {
                assert_clear(&error);
                false
            }
        }
    });
}

#[test]
fn holders() {
    let folder = folder();
    let path = folder.path();
    let holder = Holder {
        pid: 4711,
        host: "node7".into(),
        grpc: "127.0.0.1:7433".into(),
        http: "127.0.0.1:7434".into(),
        started_ms: 1 << 41,
    };
    let seeds = [
        serde_json::to_string(&holder).unwrap(),
        r#"{"pid": 9, "colour": "green"}"#.to_owned(),
    ];
    let words = &[
        "{",
        "}",
        "[",
        "\"pid\":",
        "null",
        "1e400",
        "-1",
        "\"\\u0000\"",
        "\\ud800",
    ];
    Fuzz::new("holders").seeds(seeds).words(words).run(|input| {
        fs::write(path.join(HOLDER_FILE), input).unwrap();
        let Some(holder) = Holder::read(path) else {
            return false;
        };
        assert!(holder.to_string().starts_with("process "));
        let json = serde_json::to_vec(&holder).unwrap();
        fs::write(path.join(HOLDER_FILE), json).unwrap();
        assert_eq!(Holder::read(path), Some(holder));
        true
    });
}
