#!/usr/bin/env bash
# Print the path of a Python that has DuckDB and pyarrow, made once per user in the cache. Where that cannot be had: say
# why on stderr, print nothing, exit 0. The tests take it as TOADS_PYTHON and skip the one test that needs it when it is empty.
source "$(dirname "$0")/common.sh"

skip() {
  say python "$*"
  say python "the test that reads our exports with DuckDB and pyarrow will be skipped"
  exit 0
}

command -v python3 >/dev/null || skip "python3 is missing; to have it: sudo apt-get install python3 python3-venv"
version=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])') || skip "python3 does not start"
venv=$(cache_dir)/python-$version-$(cksum <scripts/python-requirements.txt | cut -d' ' -f1)

if [ ! -f "$venv/complete" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
  python3 -c 'import ensurepip, venv' 2>/dev/null || skip "this Python cannot make virtual environments; to have them: sudo apt-get install python3-venv"
  mkdir -p "$(cache_dir)"
  exec 9>"$venv.lock"
  if command -v flock >/dev/null; then flock 9; fi
  if [ ! -f "$venv/complete" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
    say python "installing DuckDB and pyarrow once for this user into $venv"
    python3 -m venv --clear "$venv" >"$venv.log" 2>&1 || skip "python3 -m venv failed; its words are in $venv.log"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
      --requirement scripts/python-requirements.txt >>"$venv.log" 2>&1 \
      || skip "DuckDB and pyarrow could not be installed: $(grep -m 1 '^ERROR' "$venv.log" || echo "see $venv.log")"
    "$venv/bin/python" -c 'import duckdb, pyarrow.parquet' 2>>"$venv.log" || skip "DuckDB or pyarrow does not load; see $venv.log"
    touch "$venv/complete"
  fi
fi
echo "$venv/bin/python"
