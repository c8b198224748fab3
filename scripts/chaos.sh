#!/usr/bin/env bash
# All chaos tests, also the long ones, and every test that the table of promises names; then their results are written into that
# table. Some ten minutes of two cores once it is built. Ends with one line: N passed, N failed.
source "$(dirname "$0")/common.sh"

scripts/promises.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
run() { scripts/env.sh cargo test --release --locked --workspace --no-fail-fast "$@" 2>&1 | tee -a "$log" || status=1; }

targets=()
for file in tests/chaos/tests/*.rs; do targets+=(--test "$(basename "$file" .rs)"); done
# One at a time: they share two cores with their own clusters.
run "${targets[@]}" -- --include-ignored --nocapture --test-threads 1
mapfile -t names < <(scripts/promises.sh --names)
run --lib --bins --tests -- "${names[@]}"

scripts/promises.sh --record "$log"
awk '/^test result: / { passed += $4; failed += $6 } END { printf "%d passed, %d failed\n", passed, failed }' "$log"
exit "$status"
