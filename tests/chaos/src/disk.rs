//! A small file system in memory, to be filled up.

use std::path::{Path, PathBuf};
use std::process::Command;

use toads_tests::Scene;

/// A mounted file system of a given size; it is unmounted when dropped, also when a test panics.
#[derive(Debug)]
pub struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one at `name` in the scene; the error says why that is not possible here (not root, say).
    ///
    /// # Panics
    /// If there is no folder for it.
    pub fn new(scene: &Scene, name: &str, kib: u64) -> Result<Self, String> {
        let folder = scene.path(name);
        std::fs::create_dir(&folder).expect("a new folder");
        let size = format!("size={kib}k");
        run(Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "toads-chaos"])
            .arg(&folder))?;
        Ok(Self { folder })
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Gives it another size, or makes it read-only (`ro`) or writable (`rw`).
    pub fn remount(&self, option: &str) -> Result<(), String> {
        let options = format!("remount,{option}");
        run(Command::new("mount")
            .args(["-o", &options])
            .arg(&self.folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a process that a failed test left behind may still be in there for a moment.
        let _ = run(Command::new("umount").arg("--lazy").arg(&self.folder));
    }
}

/// Runs a command of the system; the error is what it said.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(format!("{command:?}: {said}"))
}
