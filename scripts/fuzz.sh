#!/usr/bin/env bash
# Every fuzz target with a million inputs, two at a time; one line for each. A finding is printed with the input and the way to
# have it again. tests/fuzz/README.md has the targets; what is unset here, the tests decide.
#
#   TARGET=NAME       one target only
#   ITERATIONS=N      so many inputs
#   SEED=N            other ones
#   INPUT=FILE        with TARGET: this input, in hexadecimal digits, and nothing else
source "$(dirname "$0")/common.sh"

export TOADS_FUZZ_ITERATIONS=${ITERATIONS:-1000000} TOADS_FUZZ_SEED=${SEED:-1}
if [ -n "${TARGET:-}" ]; then export TOADS_FUZZ_TARGET=$TARGET; fi
if [ -n "${INPUT:-}" ]; then
  [ -n "${TARGET:-}" ] || fail 2 fuzz "INPUT needs TARGET: the name that the finding has"
  TOADS_FUZZ_INPUT=$(realpath "$INPUT")
  export TOADS_FUZZ_INPUT
fi
TOADS_FUZZ_TRACE=$(mktemp -d "${TMPDIR:-/tmp}/toads-fuzz.XXXXXX")
export TOADS_FUZZ_TRACE

status=0
run() {
  RUST_BACKTRACE=0 scripts/env.sh cargo test --release --locked --workspace --no-fail-fast "$@" --nocapture --test-threads 2 2>&1 |
    tee -a "$TOADS_FUZZ_TRACE/log" |
    awk '/^fuzz: /; /^finding: /,/make fuzz/; /^error|overflowed its stack|\(signal: / { print }' || status=1
}
run --test targets --
# Readers that only their own crate sees.
run --lib --bins -- fuzz_

if [ "$status" = 0 ]; then
  rm -rf "$TOADS_FUZZ_TRACE"
else
  say fuzz "findings; $TOADS_FUZZ_TRACE has the log, and the last input of each target for those that end the process"
fi
exit "$status"
