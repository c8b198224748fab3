#!/usr/bin/env bash
# Is deploy/ in order, as far as the tools of this machine can tell? Says what it had to skip.
#
# Kustomize renders, systemd reads its units, compose its file; and scripts/check-deploy.py: settings and metrics that the
# files name exist in the source, selectors find their pods, drains get their time, every alert's metric is documented.
source "$(dirname "$0")/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skipped() { say deploy "skipped: $*"; }

if command -v kubectl >/dev/null; then
  for folder in base overlays/example monitoring; do
    kubectl kustomize "deploy/kubernetes/$folder" >"$work/${folder//\//-}.yaml" \
      || fail 1 deploy "deploy/kubernetes/$folder does not render; the reason is above"
  done
else
  skipped "kubectl is not installed, so Kustomize renders nothing"
fi

if command -v systemd-analyze >/dev/null; then
  # The units name an installed program and files of /etc; any program and none do as well for the syntax.
  for unit in deploy/systemd/*.service; do
    sed 's|/usr/local/bin/toads|/bin/true|' "$unit" >"$work/$(basename "$unit")"
  done
  systemd-analyze verify --man=no "$work/toads-coordinator.service" "$work/toads-worker@1.service" 2>"$work/verify" \
    || { cat "$work/verify" >&2; fail 1 deploy "systemd does not like its units"; }
  if [ -s "$work/verify" ]; then cat "$work/verify" >&2; fail 1 deploy "systemd warns about its units"; fi
else
  skipped "systemd-analyze is not installed, so the units are not read"
fi

if docker compose version >/dev/null 2>&1; then
  docker compose --file deploy/container/compose.yaml config --quiet || fail 1 deploy "compose does not like deploy/container/compose.yaml"
else
  skipped "docker compose is not installed, so compose.yaml is only parsed"
fi

if python3 -c 'import yaml' 2>/dev/null; then
  python3 scripts/check-deploy.py "$work" || fail 1 deploy "the files above disagree with the source"
else
  skipped "python3 with yaml is not installed (apt-get install python3-yaml), so names are not compared with the source"
fi
say deploy "the files of deploy/ are in order"
