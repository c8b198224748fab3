"""The checksums that an export comes with."""

import hashlib
from pathlib import Path

from toads.errors import DamagedError
from toads.manifest import Manifest


def verify_checksums(folder: Path, manifest: Manifest) -> int:
    """Take the SHA-256 of every file that `SHA256SUMS` names, the data files of the manifest among them; how many.

    Raises:
        DamagedError: names every file that is missing or changed.

    """
    sums = folder / "SHA256SUMS"
    try:
        lines = sums.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DamagedError([f"{sums}: {error}"]) from error
    expected = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    damages = [f"{file.path}: not in SHA256SUMS" for file in manifest.files if file.path not in expected]
    for name, digest in expected.items():
        try:
            with (folder / name).open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            damages.append(f"{name}: {error.strerror}")
            continue
        if found != digest:
            damages.append(f"{name}: its SHA-256 is not that of SHA256SUMS")
    if damages:
        raise DamagedError(damages)
    return len(expected)
