#!/usr/bin/env bash
# Build RocksDB once per machine, from the sources the librocksdb-sys crate ships, and print the folder of the library.
#
#   scripts/rocksdb.sh          build if needed; the last line of stdout is the folder for ROCKSDB_LIB_DIR
#   scripts/rocksdb.sh --where  print the folder without building
#
# The cache is keyed by the crate's version and the flags, so every clone and profile of one user shares it. A plain
# `cargo build` without ROCKSDB_LIB_DIR works too; it compiles the same sources again, in about 20 minutes of two cores.
source "$(dirname "$0")/common.sh"

crate=$(sed -n '/^name = "librocksdb-sys"$/{n;s/^version = "\(.*\)"$/\1/p}' Cargo.lock)
[ -n "$crate" ] || fail 2 rocksdb "Cargo.lock does not name librocksdb-sys; type: cargo generate-lockfile"

flags=(
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12
  -DWITH_TESTS=OFF -DWITH_TOOLS=OFF -DWITH_CORE_TOOLS=OFF -DWITH_BENCHMARK_TOOLS=OFF -DWITH_GFLAGS=OFF
  -DROCKSDB_BUILD_SHARED=OFF -DPORTABLE=1 -DFAIL_ON_WARNINGS=OFF "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG"
)
key=$(printf '%s\n' "${flags[@]}" "$(uname -m)" "$(c++ -dumpfullversion 2>/dev/null || echo none)" | cksum | cut -d' ' -f1)
cache=$(cache_dir)
out=$cache/rocksdb-${crate//+/-}-$key
is_complete() { [ -f "$out/complete" ] && [ -f "$out/librocksdb.a" ]; }
if [ "${1:-}" = --where ] || is_complete; then
  echo "$out"
  exit 0
fi

command -v cmake >/dev/null || fail 2 rocksdb "cmake is missing; type: make setup"
command -v c++ >/dev/null || fail 2 rocksdb "a C++ compiler is missing; type: make setup"
mkdir -p "$cache"
exec 9>"$out.lock"
if command -v flock >/dev/null; then
  flock -n 9 || { say rocksdb "another build is going on; waiting for it" && flock 9; }
fi
if is_complete; then
  echo "$out"
  exit 0
fi

cargo fetch --locked --quiet >&2
source_dir=$(cargo metadata --locked --format-version 1 \
  | sed -n 's|.*"manifest_path":"\([^"]*/librocksdb-sys[^"/]*\)/Cargo.toml".*|\1|p')
[ -d "$source_dir/rocksdb" ] || fail 1 rocksdb "the sources of the crate librocksdb-sys are not where cargo said: '$source_dir'"

# One compiler takes up to 1 GB on these large units: no more of them than memory holds.
jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
memory_jobs=$(awk '/^MemAvailable:/ { print int($2 / 1258291) }' /proc/meminfo 2>/dev/null || true)
if [ -n "$memory_jobs" ] && [ "$memory_jobs" -lt "$jobs" ]; then jobs=$((memory_jobs > 0 ? memory_jobs : 1)); fi

say rocksdb "building RocksDB ${crate#*+} once for this machine into $out (about 7 minutes on two cores)"
rm -rf "$out"
# io_uring stays out whatever this machine has installed: RocksDB would use it, and the Rust crate would not link it.
if ! { cmake -S "$source_dir/rocksdb" -B "$out" "${flags[@]}" -DWITH_LIBURING=OFF \
  && cmake --build "$out" --target rocksdb --parallel "$jobs"; } >"$out.log" 2>&1; then
  tail -n 30 "$out.log" >&2
  fail 1 rocksdb "the build failed; the whole log is $out.log"
fi
find "$out" -mindepth 1 ! -name librocksdb.a -delete 2>/dev/null || true
touch "$out/complete"
echo "$out"
