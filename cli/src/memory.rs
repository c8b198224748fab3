//! How much memory there is, and how much was used.

use std::fs;

/// The memory this process may use, in bytes: of the machine, or of its control group when that is less. 8 GiB where
/// the system does not say.
pub(crate) fn available() -> u64 {
    let machine = field("/proc/meminfo", "MemTotal:").unwrap_or(8 << 30);
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse().ok());
    group.map_or(machine, |limit: u64| limit.min(machine))
}

/// The most memory this process has had in use so far, in bytes; `None` where the system does not say.
pub(crate) fn peak() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// The same of another process.
pub(crate) fn peak_of(pid: u32) -> Option<u64> {
    field(&format!("/proc/{pid}/status"), "VmHWM:")
}

/// A line such as `VmHWM:    1234 kB`, in bytes.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_system_says_something_plausible() {
        assert!(super::available() > 64 << 20);
        if let Some(peak) = super::peak() {
            assert!(peak > 1 << 20 && peak < 1 << 50);
        }
    }
}
