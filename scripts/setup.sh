#!/usr/bin/env bash
# Make this machine able to build the workspace: tools, libclang, disk, and RocksDB once per user. Run it as often as you like.
#
#   scripts/setup.sh            what the build needs; exit 2 with the command to type when it cannot install something
#   scripts/setup.sh --readers  what the test with other people's readers needs (Python with venv)
source "$(dirname "$0")/common.sh"

needed_kb=$((6 * 1024 * 1024))
apt_log=$(cache_dir)/apt.log

as_root=()
if [ "$(id -u)" != 0 ]; then as_root=(sudo); fi

can_apt() {
  command -v apt-get >/dev/null || return 1
  [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null
}

# apt's many lines go to a log; it waits for another apt rather than failing.
run_apt() {
  mkdir -p "$(cache_dir)"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" >>"$apt_log" 2>&1 </dev/null
}

# The names are those of the distribution's own default LLVM: libclang1-14 on Debian 12, libclang1-19 on Debian 13.
libclang_packages() {
  local version
  version=$(apt-cache depends libclang1 2>/dev/null | sed -n 's/.*Depends: libclang1[a-z0-9]*-\([0-9][0-9]*\).*/\1/p' | head -n 1) || true
  if [ -n "$version" ]; then
    printf '%s\n' "libclang1-$version" "libclang-common-$version-dev"
  else
    echo libclang-dev
  fi
}

# need_packages NAME…: install them with apt, or say what to type.
need_packages() {
  if [ $# = 0 ]; then return 0; fi
  if can_apt; then
    say setup "installing $*"
    run_apt install --yes --no-install-recommends "$@" || {
      tail -n 20 "$apt_log" >&2
      fail 2 setup "apt-get could not install them; its last words are above. Type: ${as_root[*]} apt-get install --yes $*"
    }
  elif command -v apt-get >/dev/null; then
    say setup "these packages are missing, and installing them needs root: $*"
    command -v sudo >/dev/null \
      || fail 2 setup "as root, type: apt-get update && apt-get install --yes $*"
    fail 2 setup "type: sudo apt-get update && sudo apt-get install --yes $*"
  else
    fail 2 setup "these are missing (by their Debian names): $*; install them with this system's package manager, then type: make setup"
  fi
}

refresh_package_lists() {
  if ! can_apt; then return 0; fi
  say setup "reading the package lists"
  run_apt update || say setup "apt-get update failed ($(grep -m 1 '^E:' "$apt_log" || echo "see $apt_log")); going on with the lists that are there"
}

check_rust() {
  local wanted found
  wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  if ! command -v cargo >/dev/null || ! command -v rustc >/dev/null; then
    fail 2 setup "Rust $wanted or newer is missing; install it as https://rustup.rs says, open a new shell, then type: make setup"
  fi
  found=$(rustc --version | cut -d' ' -f2)
  if [ "$(printf '%s\n' "$wanted" "${found%%-*}" | sort -V | head -n 1)" != "$wanted" ]; then
    fail 2 setup "Rust $found is too old, $wanted or newer is needed; type: rustup update stable && make setup"
  fi
}

# free_kb FOLDER: free space where the folder is or would be.
free_kb() {
  local folder=$1
  while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
  df -Pk "$folder" | awk 'NR == 2 { print $4 }'
}

check_disk() {
  local target free
  target=$(target_dir)
  if [ -x "$target/release/toads" ]; then return 0; fi # the bulk is there already
  free=$(free_kb "$target")
  if [ "$free" -lt "$needed_kb" ]; then
    fail 2 setup "a build takes 6 GB, $((free / 1024 / 1024)) GB are free at $target; make room or set CARGO_TARGET_DIR to a roomier disk, then type: make setup"
  fi
}

check_tools() {
  local missing=() libclang=found
  command -v make >/dev/null || missing+=(make)
  command -v cc >/dev/null || missing+=(gcc libc6-dev)
  command -v c++ >/dev/null || missing+=(g++)
  command -v cmake >/dev/null || missing+=(cmake)
  scripts/libclang.sh >/dev/null || libclang=missing
  if [ ${#missing[@]} = 0 ] && [ $libclang = found ]; then return 0; fi

  refresh_package_lists
  if [ $libclang = missing ]; then
    if ! can_apt && python3 -m pip --version >/dev/null 2>&1; then
      scripts/libclang.sh --wheel >/dev/null || fail 2 setup "libclang could not be fetched from PyPI; install libclang with this system's package manager, then type: make setup"
    else
      mapfile -t -O "${#missing[@]}" missing < <(libclang_packages)
    fi
  fi
  need_packages "${missing[@]}"
  scripts/libclang.sh >/dev/null || fail 1 setup "libclang is still not found after the installation; set LIBCLANG_PATH to the folder that holds libclang.so"
}

check_readers() {
  if python3 -c 'import ensurepip, venv' 2>/dev/null; then return 0; fi
  refresh_package_lists
  need_packages python3 python3-venv
}

case "${1:-}" in
  --readers) check_readers ;;
  '')
    check_rust
    check_disk
    check_tools
    if ! uses_own_rocksdb; then scripts/rocksdb.sh >/dev/null; fi
    say setup "everything the build needs is here"
    ;;
  *) fail 2 setup "unknown argument '$1'; see the first lines of scripts/setup.sh" ;;
esac
