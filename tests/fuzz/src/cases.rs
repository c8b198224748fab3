//! Inputs in hexadecimal digits, and the folder of those that once were findings: `cases/TARGET/NAME.hex`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The bytes as two digits each.
pub fn to_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a string takes every text");
    }
    text
}

/// The bytes of digits, among which there may be blanks and line ends.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|c| !c.is_ascii_whitespace()).collect();
    let (pairs, rest) = digits.as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if !rest.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    pairs.iter().map(byte).collect()
}

/// The input of a file.
///
/// # Panics
/// If it cannot be read, or is something else.
pub fn read(path: &Path) -> Vec<u8> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    from_hex(&text).unwrap_or_else(|| panic!("{}: not hexadecimal digits", path.display()))
}

/// The inputs that once were findings of this target, by name.
///
/// # Panics
/// If one cannot be read.
pub fn of(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let Ok(entries) = fs::read_dir(folder.join(target.replace(' ', "-"))) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let named = |path: &PathBuf| (path.display().to_string(), read(path));
    paths.iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_read_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&bytes)), Some(bytes));
        assert_eq!(from_hex("0a\nFf 1"), None);
        assert_eq!(from_hex("0a\nFf 10"), Some(vec![10, 255, 16]));
        assert_eq!(from_hex("+1"), None);
    }
}
