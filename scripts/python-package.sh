#!/usr/bin/env bash
# Test and lint the Python package over datasets that the real binary exports (TOADS_BINARY, else what this checkout built), and
# execute its notebook. A virtual environment of its own, made once per user in the cache. Where that cannot be had: say why
# and succeed, since Python is not needed for toads itself.
source "$(dirname "$0")/common.sh"

skip() {
  say python "$*"
  say python "the tests of the Python package are skipped"
  exit 0
}

command -v python3 >/dev/null || skip "python3 is missing; to have it: sudo apt-get install python3 python3-venv"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "python3 is older than 3.11"
python3 -c 'import ensurepip, venv' 2>/dev/null || skip "this Python cannot make virtual environments; to have them: sudo apt-get install python3-venv"

version=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
venv=$(cache_dir)/package-$version-$(cksum <python/requirements.txt | cut -d' ' -f1)
if [ ! -f "$venv/complete" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
  mkdir -p "$(cache_dir)"
  exec 9>"$venv.lock"
  if command -v flock >/dev/null; then flock 9; fi
  if [ ! -f "$venv/complete" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
    say python "installing Polars, pyarrow, matplotlib and the checkers once for this user into $venv"
    python3 -m venv --clear "$venv" >"$venv.log" 2>&1 || skip "python3 -m venv failed; its words are in $venv.log"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --requirement python/requirements.txt >>"$venv.log" 2>&1 \
      || skip "the packages could not be installed: $(grep -m 1 '^ERROR' "$venv.log" || echo "see $venv.log")"
    touch "$venv/complete"
  fi
fi

TOADS_BINARY=$(realpath -m "${TOADS_BINARY:-$(target_dir)/release/toads}")
[ -x "$TOADS_BINARY" ] || fail 2 python "there is no toads at $TOADS_BINARY; build it with: make build"
# What the notebook's tools remember goes beside the packages, not into the home directory.
export TOADS_BINARY PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR="$venv/matplotlib" IPYTHONDIR="$venv/ipython" JUPYTER_RUNTIME_DIR="$venv/jupyter"
cd python
"$venv/bin/python" -m pytest -q -p no:cacheprovider
"$venv/bin/ruff" check --no-cache .
"$venv/bin/ruff" format --no-cache --check .
"$venv/bin/mypy" --cache-dir=/dev/null
