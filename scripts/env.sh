#!/usr/bin/env bash
# The environment in which this workspace builds quickly: RocksDB as it stands in the cache, and libclang.
#
#   eval "$(scripts/env.sh)"         for a shell in which to type plain cargo commands
#   scripts/env.sh cargo build …     run one command in it (what the Makefile does)
#
# A variable that is already set stays as it is, unless it points at an older RocksDB of our own cache. Keep to one way
# of setting them: cargo rebuilds all that stands on RocksDB when LIBCLANG_PATH or BINDGEN_EXTRA_CLANG_ARGS changes.
source "$(dirname "$0")/common.sh"

if ! uses_own_rocksdb; then
  ROCKSDB_LIB_DIR=$(scripts/rocksdb.sh --where)
  ROCKSDB_STATIC=1
  [ -f "$ROCKSDB_LIB_DIR/complete" ] || fail 2 env "RocksDB is not built yet; type: make setup"
  export ROCKSDB_STATIC
fi
LIBCLANG_PATH=$(scripts/libclang.sh) || fail 2 env "libclang is missing; type: make setup"
if [ -z "${BINDGEN_EXTRA_CLANG_ARGS:-}" ]; then
  BINDGEN_EXTRA_CLANG_ARGS=$(scripts/libclang.sh --args "$LIBCLANG_PATH")
fi
export ROCKSDB_LIB_DIR LIBCLANG_PATH
if [ -n "$BINDGEN_EXTRA_CLANG_ARGS" ]; then export BINDGEN_EXTRA_CLANG_ARGS; fi

if [ $# -gt 0 ]; then exec "$@"; fi
for name in ROCKSDB_LIB_DIR ROCKSDB_STATIC LIBCLANG_PATH BINDGEN_EXTRA_CLANG_ARGS; do
  if [ -n "${!name:-}" ]; then printf 'export %s=%q\n' "$name" "${!name}"; fi
done
