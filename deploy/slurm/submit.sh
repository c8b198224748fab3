#!/usr/bin/env bash
# Compute a census on a Slurm cluster: one job for the coordinator, an array of workers that starts with it. Returns at once.
#
#   deploy/slurm/submit.sh SQUARES WORKERS [SBATCH OPTION…]
#   deploy/slurm/submit.sh 1..18 8 --partition=long --account=games
#
# The options go to both jobs. From the environment:
#   CENSUS_DIR      a folder that all nodes see, for addresses, secrets and logs; the store too [default: ./census]
#   CENSUS_STORE    the store, when the coordinator's node has a better disk for it [default: CENSUS_DIR/census.db]
#   CENSUS_BINARY   the program, as all nodes see it [default: toads on the PATH]
#   WORKER_OPTIONS  options of sbatch for the workers alone, such as "--cpus-per-task=64 --mem=200G --time=12:00:00"
#   TOADS_*         what the program itself reads: TOADS_VARIANT, TOADS_KEEP, TOADS_BEAT, …
# Prints the numbers of the two jobs: coordinator, workers. The same command goes on with a census that was stopped.
set -euo pipefail

fail() {
  echo "submit: $*" >&2
  exit 2
}

if [ $# -lt 2 ]; then fail "give squares and the number of workers, such as: $0 1..16 8"; fi
squares=$1 workers=$2
shift 2
[[ $squares =~ ^[0-9]+(\.\.[0-9]+)?$ ]] || fail "'$squares' are no squares; give 16 or 1..16"
[[ $workers =~ ^[1-9][0-9]*$ ]] || fail "'$workers' is no number of workers; give 1 or more"
command -v sbatch >/dev/null || fail "sbatch is not here; run this on a login node of a Slurm cluster"

CENSUS_DIR=$(realpath -m "${CENSUS_DIR:-census}")
CENSUS_STORE=$(realpath -m "${CENSUS_STORE:-$CENSUS_DIR/census.db}")
CENSUS_BINARY=$(command -v "${CENSUS_BINARY:-toads}") || fail "the program is not here; set CENSUS_BINARY to its path on all nodes"
CENSUS_BINARY=$(realpath "$CENSUS_BINARY")
export CENSUS_DIR CENSUS_STORE CENSUS_BINARY CENSUS_SQUARES=$squares

here=$(realpath "$(dirname "$0")")
mkdir -p "$CENSUS_DIR/logs"
rm -f "$CENSUS_DIR/done" # of an earlier census in this folder
coordinator=$(sbatch --parsable --output="$CENSUS_DIR/logs/coordinator-%j.log" "$@" "$here/coordinator.sbatch")
coordinator=${coordinator%%;*} # a cluster's name may follow
export CENSUS_COORDINATOR=$coordinator

read -ra only_workers <<<"${WORKER_OPTIONS:-}"
array=$(sbatch --parsable --output="$CENSUS_DIR/logs/worker-%A-%a.log" --array="1-$workers" --dependency="after:$coordinator" \
  "$@" "${only_workers[@]}" "$here/workers.sbatch") || {
  scancel "$coordinator"
  fail "the workers' job was refused, so the coordinator's is cancelled"
}
echo "$coordinator ${array%%;*}"
