#!/usr/bin/env bash
# Time the census and its kernel and write the figures into docs/PERFORMANCE.md, between its two bench markers.
#
# Time: wall clock, the middle of three runs. Memory: the sum over the run's processes of each one's high-water mark
# (VmHWM, seen every 50 ms), so it is an upper bound on what they held together. Linux only; needs a build.
source "$(dirname "$0")/common.sh"

# Add a line to measure more: the name in the table | the arguments of toads (STORE is a fresh folder).
cases=(
  "hop, 1..14 squares, 1 thread          | census run --squares 1..14 --threads 1 --store STORE"
  "hop, 1..14 squares, 2 threads         | census run --squares 1..14 --threads 2 --store STORE"
  "hop, 1..16 squares, 1 thread          | census run --squares 1..16 --threads 1 --store STORE"
  "hop, 1..16 squares, 2 threads         | census run --squares 1..16 --threads 2 --store STORE"
  "hop, 1..16 squares, 2 workers         | census run --squares 1..16 --threads 1 --workers 2 --store STORE"
  "hop, 1..16 squares, tallies           | census run --squares 1..16 --threads 2 --keep tallies --store STORE"
  "hopless, 1..16 squares, 2 threads     | census run --variant hopless --squares 1..16 --threads 2 --store STORE"
)
# The kernel alone: squares and threads; the fastest of three runs, which other load on the machine disturbs least.
kernel_cases=("12 1" "13 1" "14 1" "15 1" "16 1" "16 2" "17 1" "17 2")
kernel_mebibytes=6144
runs=3
page=docs/PERFORMANCE.md
begin='<!-- bench:begin (make bench writes what stands between these markers) -->'
end='<!-- bench:end -->'

[ -r /proc/self/status ] || fail 2 bench "needs Linux: it reads memory from /proc"
toads=$(target_dir)/release/toads
[ -x "$toads" ] || fail 2 bench "$toads is not there; type: make build"
work=$(mktemp -d "${TMPDIR:-/tmp}/toads-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

# note_peaks PID: into peak[], the high-water mark in KiB of the process and of all its descendants.
declare -A peak
note_peaks() {
  local key value children child found=()
  while read -r key value _; do
    if [ "$key" = VmHWM: ]; then peak[$1]=$value; fi
  done 2>/dev/null <"/proc/$1/status" || return 0
  for children in /proc/"$1"/task/*/children; do
    read -ra found 2>/dev/null <"$children" || true # a process may end while it is looked at
    for child in "${found[@]}"; do note_peaks "$child"; done
  done
}

# measure ARGUMENT…: sets seconds (milliseconds of precision) and mib.
measure() {
  local started pid kib=0 pid_kib
  peak=()
  started=$(date +%s%N)
  "$toads" "$@" --no-progress >"$work/log" 2>&1 </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    note_peaks "$pid"
    sleep 0.05
  done
  wait "$pid" || { tail -n 20 "$work/log" >&2; fail 1 bench "toads $* failed; its last lines are above"; }
  seconds=$(awk -v ns=$(($(date +%s%N) - started)) 'BEGIN { printf "%.2f", ns / 1e9 }')
  for pid_kib in "${peak[@]}"; do kib=$((kib + pid_kib)); done
  mib=$(((kib + 1023) / 1024))
}

machine() {
  local model memory
  model=$(lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | head -n 1)
  memory=$(awk '/^MemTotal:/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)
  echo "${model:-$(uname -m)}, $(nproc) cores, $memory"
}

commit() {
  local name
  name=$(git rev-parse --short=12 HEAD 2>/dev/null) || { echo "no commit yet"; return; }
  if [ -n "$(git status --porcelain --untracked-files=no 2>/dev/null)" ]; then name+=" with local changes"; fi
  echo "$name"
}

{
  echo "Machine: $(machine). Date: $(date -u +%Y-%m-%d). Commit: $(commit). $(rustc --version)."
  echo "Seconds: the middle of $runs runs. Peak memory: the highest of them, summed over the run's processes."
  echo
  echo '| what | seconds | all runs | peak memory | command |'
  echo '|---|---:|---|---:|---|'
} >"$work/table"
for line in "${cases[@]}"; do
  IFS='|' read -r name arguments <<<"$line"
  read -r name <<<"$name" # drop the blanks that line the table up
  read -r arguments <<<"$arguments"
  times=() most=0
  for ((run = 1; run <= runs; run++)); do
    rm -rf "$work/store"
    read -ra words <<<"${arguments//STORE/$work/store}"
    measure "${words[@]}"
    say bench "$name, run $run of $runs: $seconds s, $mib MiB"
    times+=("$seconds")
    if [ "$mib" -gt "$most" ]; then most=$mib; fi
  done
  middle=$(printf '%s\n' "${times[@]}" | sort -n | sed -n "$(((runs + 1) / 2))p")
  echo "| $name | $middle | ${times[*]} | $most MiB | \`toads ${arguments}\` |" >>"$work/table"
done

scripts/env.sh cargo build --release --locked --workspace --example speed >&2
speed=$(target_dir)/release/examples/speed

# part FILE NAME: nanoseconds a strip of that part, from what the example printed.
part() { sed -n "s/^ *$2 .* s *\([0-9.]*\) ns a strip/\1/p" "$1"; }
seconds_of() { sed -n 's/^evaluate *\([0-9.]*\) s.*/\1/p' "$1"; }
{
  echo
  echo "The kernel alone (\`cargo run --release -p toads-census --example speed -- SQUARES THREADS $kernel_mebibytes\`), nanoseconds for each"
  echo "strip of the classes with toads ≥ frogs, smaller classes on the way included; the fastest of $runs runs:"
  echo
  echo '| squares | threads | all strips | evaluation | strips/s | moves and look-up | canonical forms | tally, ids, digest | encode | memo hits | bytes a value | bytes a strip |'
  echo '|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
} >>"$work/table"
for case in "${kernel_cases[@]}"; do
  read -r n threads <<<"$case"
  for ((run = 1; run <= runs; run++)); do
    "$speed" "$n" "$threads" "$kernel_mebibytes" >"$work/speed.$run"
    say bench "kernel, $n squares, $threads threads, run $run of $runs: $(seconds_of "$work/speed.$run") s"
  done
  fastest=$(for ((run = 1; run <= runs; run++)); do echo "$(seconds_of "$work/speed.$run") $work/speed.$run"; done | sort -n | sed -n '1s/.* //p')
  awk -v n="$n" -v threads="$threads" -v seconds="$(seconds_of "$fastest")" -v moves="$(part "$fastest" 'moves and look-up')" \
    -v forms="$(part "$fastest" 'canonical forms')" -v tally="$(part "$fastest" 'tally, ids, digest')" \
    -v encode="$(part "$fastest" 'encode blocks')" -v hits="$(sed -n 's/.*memo (\([0-9.]* %\).*/\1/p' "$fastest")" \
    -v value="$(sed -n 's/.* values at \([0-9.]*\) bytes.*/\1/p' "$fastest")" -v strip="$(sed -n 's/.*bytes, \([0-9.]*\) for.*/\1/p' "$fastest")" \
    'BEGIN { all = 3 ^ n; printf "| %d | %d | %d | %s s | %d | %s | %s | %s | %s | %s | %s | %s |\n", n, threads, all, seconds, all / (seconds > 0 ? seconds : 0.01), moves, forms, tally, encode, hits, value, strip }' >>"$work/table"
done
{
  echo
  # shellcheck disable=SC2016
  echo 'Instructions, the same on every run (`make instructions`):'
  echo
  echo '```text'
  scripts/instructions.sh 2>/dev/null
  echo '```'
} >>"$work/table"

if [ ! -f "$page" ]; then
  mkdir -p "$(dirname "$page")"
  printf '# Performance\n\n%s\n%s\n' "$begin" "$end" >"$page"
fi
if ! grep -qF '<!-- bench:begin' "$page" || ! grep -qF "$end" "$page"; then
  cat "$work/table"
  fail 1 bench "$page has no bench markers, so the table above is not written to it"
fi
awk -v table="$work/table" '
  /<!-- bench:end/ { inside = 0 }
  !inside
  /<!-- bench:begin/ { inside = 1; while ((getline line < table) > 0) print line }' "$page" >"$work/page"
cat "$work/page" >"$page"
cat "$work/table"
say bench "written to $page"
