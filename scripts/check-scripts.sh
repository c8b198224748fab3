#!/usr/bin/env bash
# The shell scripts parse, are executable, and please shellcheck where it is installed.
source "$(dirname "$0")/common.sh"

files=(.ci/run scripts/*.sh deploy/slurm/*.sh deploy/slurm/*.sbatch)
for file in "${files[@]}"; do
  bash -n "$file"
  if [ "$file" != scripts/common.sh ] && [[ $file != *.sbatch ]] && [ ! -x "$file" ]; then fail 1 scripts "$file is not executable; type: chmod +x $file"; fi
done
if command -v shellcheck >/dev/null; then
  shellcheck --external-sources --source-path=SCRIPTDIR --severity=style "${files[@]}"
  say scripts "${#files[@]} files parse and please shellcheck"
else
  say scripts "${#files[@]} files parse; shellcheck is not installed, so that check is skipped"
fi
