#!/usr/bin/env bash
# Try deploy/slurm/ for real: a one-node Slurm in a folder of its own, a coordinator job and an array of three workers. One
# worker is killed, one is requeued, and the coordinator's walltime comes near: all three go back into the queue, and the
# digest must be that of a plain run.
#
#   scripts/slurm-trial.sh [SQUARES] [PROGRAM]     default: 1..15 and the built target/release/toads
#
# Needs root, slurm-wlm and munge (apt-get install slurm-wlm munge); without them it says so and exits 0. Leaves nothing behind.
source "$(dirname "$0")/common.sh"

skip() {
  say slurm-trial "skipped: $*"
  exit 0
}

squares=${1:-1..15}
for tool in munged slurmctld slurmd sbatch; do
  PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || skip "$tool is not installed; type: apt-get install slurm-wlm munge"
done
PATH=$PATH:/usr/sbin
[ "$(id -u)" = 0 ] || skip "slurmd wants root"
program=$(realpath "${2:-$(target_dir)/release/toads}")
[ -x "$program" ] || fail 2 slurm-trial "there is no $program; type: make build"

home=$(mktemp -d /tmp/toads-slurm.XXXXXX)
daemons=()
stop() {
  local code=$?
  if [ "$code" != 0 ] && [ -e "$home/slurm.conf" ]; then
    tail -n 20 "$home"/*.log "$home"/census/logs/* >&2 || true
    squeue --format='%i %T %r' >&2 || true
  fi
  if [ -n "${coordinator:-}" ]; then scancel "$coordinator" "$workers" 2>/dev/null || true; fi
  for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
    kill "${daemons[i]}" 2>/dev/null || true
    wait "${daemons[i]}" 2>/dev/null || true
  done
  rm -rf "$home"
}
trap stop EXIT

# until_true SECONDS WHAT COMMAND…: wait for it, or give up.
until_true() {
  local limit=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -gt "$limit" ]; then fail 1 slurm-trial "gave up waiting: $what"; fi
    sleep 0.2
  done
}

start_slurm() {
  local node port
  node=$(hostname -s)
  # Ports beside those of a Slurm that may run here.
  port=$((20000 + $$ % 20000))
  mkdir -p "$home"/{munge,state,spool}
  dd if=/dev/urandom of="$home/munge/key" bs=1024 count=1 status=none
  chmod 600 "$home/munge/key"
  chmod 711 "$home"
  cat >"$home/slurm.conf" <<CONF
ClusterName=trial
SlurmctldHost=$node
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$home/munge/socket,cred_expire=5
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobRequeue=1
ReturnToService=2
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
SlurmdParameters=config_overrides
NodeName=$node CPUs=8 RealMemory=8000 State=UNKNOWN
PartitionName=trial Nodes=$node Default=YES State=UP
CONF
  export SLURM_CONF=$home/slurm.conf
  munged --foreground --force --key-file "$home/munge/key" --socket "$home/munge/socket" --pid-file "$home/munge/pid" \
    --log-file "$home/munged.log" --seed-file "$home/munge/seed" 2>"$home/munged.err" &
  daemons+=($!)
  until_true 20 "munged does not answer" munge --socket "$home/munge/socket" --no-input
  slurmctld -D 2>"$home/slurmctld.log" &
  daemons+=($!)
  until_true 30 "slurmctld does not answer" scontrol ping
  slurmd -D -N "$node" 2>"$home/slurmd.log" &
  daemons+=($!)
  until_true 30 "the node does not become idle" node_is_idle
}


node_is_idle() { sinfo --noheader --format=%T | grep -q idle; }

# job_field JOB FIELD: one field of `scontrol show job`.
job_field() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
has_state() { job_field "$1" JobState | grep -qE "^($2)$"; }
restarted() { [ "$(job_field "$1" Restarts)" -ge 1 ]; }
working() { grep -qE 'registered|lease' "$home/census/logs/worker-$workers-$1.log" && has_state "${workers}_$1" RUNNING; }
# kill_program TASK: no drain, no goodbye, as when memory runs out. The job's script lives on.
kill_program() {
  local pid
  while read -r pid _; do
    if [ "$(readlink "/proc/$pid/exe")" = "$program" ]; then kill -KILL "$pid" && return 0; fi
  done < <(scontrol listpids "$(job_field "${workers}_$1" JobId)")
  fail 1 slurm-trial "the process of worker $1 is not found"
}
digest_of() { "$program" db info --store "$1" --format tsv | sed -n 's/^digest\t//p'; }

say slurm-trial "the plain run of $squares"
"$program" census run --squares "$squares" --store "$home/plain.db" --no-progress >/dev/null 2>"$home/plain.log"
expected=$(digest_of "$home/plain.db")

start_slurm
say slurm-trial "Slurm $(sbatch --version | cut -d' ' -f2) answers; submitting"
started=$SECONDS
export CENSUS_DIR=$home/census CENSUS_BINARY=$program WORKER_OPTIONS='--cpus-per-task=1 --mem=2G' TOADS_BEAT=1s
submitted=$(deploy/slurm/submit.sh "$squares" 3 --time=10)
read -r coordinator workers <<<"$submitted"

until_true 120 "worker 1 does not work" working 1
kill_program 1
until_true 120 "worker 2 does not work" working 2
scontrol requeue "${workers}_2"
say slurm-trial "worker 1 was killed (SIGKILL), worker 2 told to go back into the queue (SIGTERM)"
until_true 60 "the killed worker's leases do not expire" grep -q 'kind=expired' "$home/census/logs/coordinator-$coordinator.log"
# What Slurm does itself 180 s before the walltime.
scancel --batch --signal=USR1 "$coordinator"
until_true 60 "the coordinator does not go back into the queue" restarted "$coordinator"
say slurm-trial "the coordinator was told that its walltime is near"

until_true 900 "the coordinator's job does not end" has_state "$coordinator" 'COMPLETED|FAILED|CANCELLED|TIMEOUT'
seconds=$((SECONDS - started))
for task in 1 2 3; do
  until_true 60 "worker $task does not end" has_state "${workers}_$task" 'COMPLETED|FAILED|CANCELLED'
  say slurm-trial "worker $task: $(job_field "${workers}_$task" JobState), restarts $(job_field "${workers}_$task" Restarts)"
done
say slurm-trial "coordinator: $(job_field "$coordinator" JobState), restarts $(job_field "$coordinator" Restarts), exit code $(job_field "$coordinator" ExitCode)"
"$program" census events --store "$home/census/census.db" --format tsv | sed 1d | cut -f3 | sort | uniq -c >"$home/kinds"
cat "$home/kinds" >&2

found=$(digest_of "$home/census/census.db")
echo "squares $squares, digest $found, $seconds s from submission to the end"
[ "$found" = "$expected" ] || fail 1 slurm-trial "the digest is not that of the plain run, $expected"
for kind in expired released; do grep -q "$kind" "$home/kinds" || fail 1 slurm-trial "no lease was $kind, so the workers were not struck"; done
for job in "$coordinator" "${workers}_1" "${workers}_2"; do restarted "$job" || fail 1 slurm-trial "job $job was not requeued"; done
