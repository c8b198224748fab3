#!/usr/bin/env bash
# Count the instructions of the kernel, part by part, for all classes of 12 squares on one thread: the same on every run, so
# a change that makes the kernel slower shows even on a busy machine. Needs valgrind; says so and ends well without it.
source "$(dirname "$0")/common.sh"

n=12
if ! command -v valgrind >/dev/null || ! command -v callgrind_annotate >/dev/null; then
  echo "instructions: valgrind is not installed, nothing was counted (Debian: apt-get install valgrind)"
  exit 0
fi
scripts/env.sh cargo build --release --locked --workspace --example speed
speed=$(target_dir)/release/examples/speed
[ -x "$speed" ] || fail 2 instructions "$speed is not there"
work=$(mktemp -d "${TMPDIR:-/tmp}/toads-instructions.XXXXXX")
trap 'rm -rf "$work"' EXIT

valgrind --tool=callgrind --callgrind-out-file="$work/out" "$speed" "$n" 1 256 >"$work/said" 2>"$work/log" ||
  { tail -n 5 "$work/log" >&2; fail 1 instructions "valgrind failed; its last lines are above"; }
callgrind_annotate --inclusive=yes --threshold=100 "$work/out" >"$work/inclusive" 2>/dev/null
strips=$(sed -n 's/.*threads: \([0-9]*\) strips.*/\1/p' "$work/said")

# inclusive NAME: instructions of the function, with what it calls. The annotator may list a function under two names of its
# file, with a part of the count each; the lines of its callers have all of it.
inclusive() {
  awk -v name="$1" '
    index($0, name) { gsub(",", "", $1); if ($1 + 0 > most) most = $1 + 0 }
    END { printf "%d\n", most }' "$work/inclusive"
}
evaluate=$(inclusive 'kernel::evaluate::Evaluator::evaluate ')
settle=$(inclusive '>::settle_all')
resolve=$(inclusive '>::resolve')
tally=$(inclusive 'EvaluatedClass>::tally')
encode=$(inclusive 'codec::encode')
row() { awk -v what="$1" -v count="$2" -v strips="$strips" 'BEGIN { printf "%-44s%14d%10.1f\n", what, count, count / strips }'; }
printf '%-44s%14s%10s\n' "hop, n = $n, $strips strips, three evaluations" instructions "a strip"
row 'moves and stops' $((evaluate - settle))
row 'look-up of option sets' $((settle - resolve))
row 'canonical forms' "$resolve"
row 'tally, ids, digest' "$tally"
row 'encode blocks' "$encode"
