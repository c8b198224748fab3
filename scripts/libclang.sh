#!/usr/bin/env bash
# Find libclang, which bindgen loads to read RocksDB's C header.
#
#   scripts/libclang.sh          print the folder that holds it; exit 1 if there is none
#   scripts/libclang.sh --wheel  first put the one from PyPI into the cache (for machines without apt)
#   scripts/libclang.sh --args FOLDER
#                                print the flags it needs beyond its own, if any
source "$(dirname "$0")/common.sh"

wheel_version=18.1.1
wheel=$(cache_dir)/libclang-$wheel_version

holds_libclang() {
  compgen -G "$1/libclang.so*" >/dev/null || compgen -G "$1/libclang-[0-9]*.so*" >/dev/null \
    || compgen -G "$1/libclang.dylib" >/dev/null
}

# Newest LLVM first, then the folders of other distributions, then the wheel.
find_libclang() {
  local folder
  while read -r folder; do
    if [ -n "$folder" ] && holds_libclang "$folder"; then
      echo "$folder"
      return 0
    fi
  done < <(
    echo "${LIBCLANG_PATH:-}"
    compgen -G '/usr/lib/llvm-*/lib' | sort -rV || true
    llvm-config --libdir 2>/dev/null || true
    compgen -G '/usr/lib/*-linux-gnu' || true
    printf '%s\n' /usr/lib64 /usr/lib /usr/local/lib /opt/homebrew/opt/llvm/lib \
      /Library/Developer/CommandLineTools/usr/lib "$wheel/clang/native"
  )
  return 1
}

# libclang brings its own stddef.h only where the package libclang-common-*-dev stands beside it; the compiler's does as well.
extra_args() {
  local headers
  if compgen -G "$1/clang/*/include/stddef.h" >/dev/null || [ "$(uname -s)" = Darwin ]; then return 0; fi
  headers=$(cc -print-file-name=include 2>/dev/null) || return 0
  if [ -f "$headers/stddef.h" ]; then echo "-I$headers"; fi
}

case "${1:-}" in
  --args) extra_args "$2" ;;
  --wheel)
    if ! holds_libclang "$wheel/clang/native"; then
      say libclang "fetching libclang $wheel_version from PyPI into $wheel"
      rm -rf "$wheel" "$wheel.part"
      python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
        --target "$wheel.part" "libclang==$wheel_version" >&2
      mv "$wheel.part" "$wheel"
    fi
    find_libclang
    ;;
  '') find_libclang ;;
  *) fail 2 libclang "unknown argument '$1'; see the first lines of scripts/libclang.sh" ;;
esac
