#!/usr/bin/env bash
# Time the census of 1..14 squares and write the figures into docs/PERFORMANCE.md, between its two bench markers.
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
