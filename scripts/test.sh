#!/usr/bin/env bash
# All tests, in the release profile that users run: nothing heavy is compiled twice. Ends with one line: N passed, N failed.
source "$(dirname "$0")/common.sh"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0

# Goes on after a failure, so that the last line counts everything.
run() {
  echo "test: $*"
  scripts/env.sh "$@" 2>&1 | tee -a "$log" || status=1
}

# Not worth failing for: without Python one test is skipped, and the script below says so.
scripts/setup.sh --readers || true
TOADS_PYTHON=$(scripts/python-venv.sh)
export TOADS_PYTHON

if cargo nextest --version >/dev/null 2>&1; then
  run cargo nextest run --release --locked --workspace --no-fail-fast
  run cargo test --release --locked --workspace --doc --no-fail-fast
else
  run cargo test --release --locked --workspace --no-fail-fast
fi

# nextest: "Summary [ 1.2s] 9 tests run: 8 passed, 1 failed"; cargo test: "test result: ok. 8 passed; 1 failed; …".
summary=$(awk '
  function number_before(word) { return match($0, "[0-9]+ " word) ? substr($0, RSTART, RLENGTH) + 0 : 0 }
  /^ *Summary \[|^test result: / {
    passed += number_before("passed"); failed += number_before("failed") + number_before("timed out")
  }
  END { printf "%d passed, %d failed", passed, failed }' "$log")
if [ "$status" != 0 ]; then say test "failed; look above for lines with FAIL, FAILED or error"; fi
echo "$summary"
exit "$status"
