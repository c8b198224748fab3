"""What deploy/ says must be true of the source. Called by check-deploy.sh with the folder of what Kustomize rendered."""

import json
import pathlib
import re
import sys

import yaml

found_wrong = []


def wrong(where, what):
    found_wrong.append(f"{where}: {what}")


def source(folder):
    return "\n".join(path.read_text() for path in sorted(pathlib.Path(folder).rglob("*.rs")))


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)([sm]?)", str(text)).groups()
    return int(number) * (60 if unit == "m" else 1)


def settings_exist():
    """Every TOADS_* that a file sets is read by the program."""
    known = set(re.findall(r'env = "(TOADS_\w+)"', source("cli/src")))
    for path in sorted(pathlib.Path("deploy").rglob("*")):
        if path.is_file() and path.suffix != ".md":
            for name in sorted(set(re.findall(r"\bTOADS_[A-Z_]+", path.read_text())) - known - {"TOADS_HEALTH"}):
                if not re.search(re.escape(name) + r"\*", path.read_text()):
                    wrong(path, f"{name} is no setting of the program")


def metrics_exist():
    """Every metric of the alerts and the dashboard is one the coordinator shows, and an operator can read up on."""
    shown = set(re.findall(r'"(toads_\w+)"', source("coordinator/src/metrics")))
    explained = set(re.findall(r"`(toads_\w+)", pathlib.Path("docs/OPERATIONS.md").read_text()))
    rules = yaml.safe_load(pathlib.Path("deploy/prometheus/rules.yaml").read_text())
    board = json.loads(pathlib.Path("deploy/grafana/toads.json").read_text())
    queries = [(rule["alert"], rule["expr"]) for group in rules["groups"] for rule in group["rules"]]
    queries += [(panel["title"], target["expr"]) for panel in board["panels"] for target in panel["targets"]]
    for title, query in queries:
        for name in re.findall(r"\btoads_\w+", query):
            if name not in shown or name not in explained:
                wrong(title, f"{name} is not shown by the coordinator, or not explained in docs/OPERATIONS.md")


def compose_refers_to_what_is_there():
    compose = yaml.safe_load(pathlib.Path("deploy/container/compose.yaml").read_text())
    for name, service in compose["services"].items():
        for secret in service.get("secrets", []):
            if secret not in compose["secrets"]:
                wrong(f"compose.yaml, {name}", f"there is no secret {secret}")
        environment = service["environment"]
        for key in ("TOADS_TLS_CERT", "TOADS_TLS_KEY", "TOADS_TLS_CA", "TOADS_TOKEN_FILE"):
            file = environment.get(key, "").removeprefix("/run/secrets/")
            if file and file not in service["secrets"]:
                wrong(f"compose.yaml, {name}", f"{key} names {file}, which it is not given")
        if seconds(service["stop_grace_period"]) <= seconds(environment["TOADS_GRACE"]):
            wrong(f"compose.yaml, {name}", "stop_grace_period is not above TOADS_GRACE")


def kubernetes_fits_together(path):
    documents = list(yaml.safe_load_all(path.read_text()))
    templates = [d["spec"]["template"] for d in documents if d["kind"] in ("Deployment", "StatefulSet")]
    secrets = {d["metadata"]["name"]: d.get("data", {}) for d in documents if d["kind"] == "Secret"}
    for document in documents:
        where = f"{path.name}, {document['kind']} {document['metadata']['name']}"
        spec = document.get("spec", {})
        selector = spec.get("podSelector") or spec.get("selector") or {}
        labels = selector.get("matchLabels", selector if document["kind"] == "Service" else {})
        carried = [template["metadata"]["labels"].items() for template in templates]
        if templates and labels and not any(labels.items() <= items for items in carried):
            wrong(where, f"no pod carries {labels}")
    for template in templates:
        container = template["spec"]["containers"][0]
        where = f"{path.name}, {container['name']}"
        environment = {entry["name"]: entry.get("value", "") for entry in container["env"]}
        if template["spec"]["terminationGracePeriodSeconds"] <= seconds(environment["TOADS_GRACE"]):
            wrong(where, "terminationGracePeriodSeconds is not above TOADS_GRACE")
        secret = next(volume["secret"]["secretName"] for volume in template["spec"]["volumes"] if "secret" in volume)
        for value in environment.values():
            file = value.removeprefix("/etc/toads/")
            if secrets and file != value and file not in secrets.get(secret, {}):
                wrong(where, f"the secret {secret} has no {file}")


def units_leave_time():
    """A unit's TimeoutStopSec is above the grace that its environment file gives."""
    for unit, settings in (("toads-coordinator", "coordinator"), ("toads-worker@", "worker")):
        text = pathlib.Path(f"deploy/systemd/{unit}.service").read_text()
        grace = re.search(r"^TOADS_GRACE=(.*)$", pathlib.Path(f"deploy/systemd/{settings}.env").read_text(), re.M)
        if seconds(re.search(r"^TimeoutStopSec=(.*)$", text, re.M)[1]) <= seconds(grace[1]):
            wrong(unit, "TimeoutStopSec is not above TOADS_GRACE")


settings_exist()
metrics_exist()
compose_refers_to_what_is_there()
units_leave_time()
for rendered in sorted(pathlib.Path(sys.argv[1]).glob("*.yaml")):
    kubernetes_fits_together(rendered)
for line in found_wrong:
    print(line, file=sys.stderr)
sys.exit(1 if found_wrong else 0)
