# shellcheck shell=bash
# What every script here needs: where things live and how to speak. Sourced, never run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# rustup's default place, in case the shell was opened before Rust was installed.
if ! command -v cargo >/dev/null && [ -x "${HOME:-}/.cargo/bin/cargo" ]; then
  PATH="$HOME/.cargo/bin:$PATH"
fi

# Built once per user and shared by all clones: RocksDB, the Python readers, libclang where the system has none.
cache_dir() {
  echo "${TOADS_CACHE:-${XDG_CACHE_HOME:-${HOME:?is not set; set HOME or TOADS_CACHE}/.cache}/toads}"
}

# Did the user bring a RocksDB of their own? A path into our cache may be a leftover of an older version: that is none.
uses_own_rocksdb() {
  case "${ROCKSDB_LIB_DIR:-}" in
    '' | "$(cache_dir)"/rocksdb-*) return 1 ;;
  esac
}

# Where cargo puts its work, whoever chose the place (CARGO_TARGET_DIR, a cargo config, or nobody).
target_dir() {
  cargo metadata --no-deps --offline --format-version 1 | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p'
}

# say NAME TEXT…: a line for the person who waits; data alone goes to stdout.
say() {
  local who=$1
  shift
  echo "$who: $*" >&2
}

# fail CODE NAME TEXT…: say it and stop. 2 is "something to install or to type", 1 is "it failed".
fail() {
  local code=$1
  shift
  say "$@"
  exit "$code"
}
