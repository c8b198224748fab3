//! TLS, tokens and roles with real processes (promise P18), and what becomes of a wrong one.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use crate::place::{Place, Ran};

const LISTENING: &str = "listening on ";

/// A coordinator in a place with certificates and tokens, killed at the end.
struct Guarded<'a> {
    place: &'a Place,
    child: Child,
    url: String,
    http: String,
}

impl Drop for Guarded<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Guarded<'a> {
    /// On every address of the machine; asked on loopback.
    fn start(place: &'a Place) -> Self {
        let made = place.run(&["cert", "new", "--out", "keys", "--host", "node7,10.0.0.5"]);
        made.check(made.ok().contains("worker.token"), "files are named");
        let mut child = place
            .command(&[
                "coordinator",
                "-vv",
                "--listen=0.0.0.0:0",
                "--tls-cert=keys/server.pem",
                "--tls-key=keys/server.key",
                "--token-file=keys/tokens",
            ])
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(place.join("coordinator.err")).unwrap())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut line = |prefix: &str| {
            let line = lines.next().unwrap().unwrap();
            line.strip_prefix(prefix).unwrap().to_owned()
        };
        let url = line(LISTENING).replace("0.0.0.0", "127.0.0.1");
        let http = line("HTTP on ");
        assert!(url.starts_with("https://") && http.starts_with("https://127.0.0.1:"));
        Self {
            place,
            child,
            url,
            http,
        }
    }

    /// Runs a verb as somebody.
    fn run_as(&self, role: &str, args: &[&str]) -> Ran {
        let token = format!("--token-file=keys/{role}.token");
        let at = ["--coordinator", &self.url, "--tls-ca=keys/ca.pem", &token];
        self.place.run(&[args, &at].concat())
    }
}

fn secrets(place: &Place) -> Vec<String> {
    let read = |name: &str| std::fs::read_to_string(place.join("keys").join(name)).unwrap();
    let mut secrets: Vec<_> = ["worker", "operator", "reader"]
        .map(|role| read(&format!("{role}.token")).trim().to_owned())
        .into();
    for key in ["server.key", "ca.key"] {
        secrets.extend(read(key).lines().nth(1).map(str::to_owned));
    }
    assert!(
        secrets.iter().all(|secret| secret.len() >= 40),
        "{secrets:?}"
    );
    secrets
}

#[test]
fn p18_a_cluster_with_tls_and_tokens_and_nothing_secret_is_told() {
    let place = Place::new();
    let cluster = Guarded::start(&place);
    let mut told = Vec::new();
    let submit = ["census", "submit", "--squares", "1..5"];
    for (role, code, part) in [
        ("reader", 2, "the role operator"),
        ("worker", 2, "the role operator"),
    ] {
        let refused = cluster.run_as(role, &submit);
        refused.fails(code, &[part, "--token-file"]);
        told.push(refused.stderr);
    }
    cluster.run_as("operator", &submit).ok();
    let worker = cluster.run_as(
        "worker",
        &[
            "worker",
            "-vv",
            "--threads=1",
            "--memory=256MiB",
            "--exit-when-done",
        ],
    );
    worker.ok();
    told.push(worker.stderr);
    let status = cluster.run_as("reader", &["census", "status", "--format", "tsv"]);
    status.check(status.ok().contains("\tdone\t"), "the run is done");
    status.check(!status.stderr.contains("INSECURE"), "it is protected");
    for args in [
        &["db", "info"][..],
        &["census", "events"],
        &["config", "show"],
    ] {
        let ran = cluster.run_as("reader", args);
        told.push(ran.ok().to_owned() + &ran.stderr);
    }
    // The holder is found by its store, too, and asked with the same files.
    let by_store = [
        "census",
        "status",
        "--tls-ca=keys/ca.pem",
        "--token-file=keys/reader.token",
    ];
    place.run(&by_store).ok();
    place.run(&["census", "status"]).fails(2, &["--tls-ca"]);
    // Somebody else's token, nobody's, somebody else's authority, and no TLS at all.
    place.write("other.token", "some-token-that-nobody-gave-out\n");
    let at = |extra: &[&str]| {
        let base = ["census", "status", "--coordinator", &cluster.url];
        place.run(&[&base[..], extra].concat())
    };
    at(&["--tls-ca=keys/ca.pem"]).fails(2, &["asks for a token", "--token-file"]);
    at(&["--tls-ca=keys/ca.pem", "--token-file=other.token"])
        .fails(2, &["does not know the token"]);
    place.run(&["cert", "new", "--out", "others"]).ok();
    at(&["--tls-ca=others/ca.pem"]).fails(2, &["certificate", "--tls-ca"]);
    at(&["--tls-ca=keys/tokens"]).fails(2, &["--tls-ca"]);
    let plain = cluster.url.replace("https", "http");
    place
        .run(&["census", "status", "--coordinator", &plain])
        .fails(2, &["TLS", "https://"]);
    place
        .run(&[
            "worker",
            "--coordinator",
            &cluster.url,
            "--tls-ca=keys/ca.pem",
            "--token-file=other.token",
        ])
        .fails(2, &["does not know the token"]);
    told.push(std::fs::read_to_string(place.join("coordinator.err")).unwrap());
    let holder = std::fs::read_to_string(place.join("toads.db/HOLDER")).unwrap();
    assert!(
        holder.contains("https://0.0.0.0:") && holder.contains(&cluster.http),
        "{holder}"
    );
    told.push(holder);
    let mut line = Vec::new();
    let cmdline = format!("/proc/{}/cmdline", cluster.child.id());
    std::fs::File::open(cmdline)
        .unwrap()
        .read_to_end(&mut line)
        .unwrap();
    told.push(String::from_utf8_lossy(&line).into_owned());
    for secret in secrets(&place) {
        for text in &told {
            assert!(!text.contains(&secret), "a secret was told:\n{text}");
        }
    }
}

#[test]
fn cert_new_guards_its_keys_and_overwrites_nothing() {
    let place = Place::new();
    place.run(&["cert", "new", "--out", "keys"]).ok();
    for entry in std::fs::read_dir(place.join("keys")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        let is_public = entry.path().extension().is_some_and(|end| end == "pem");
        assert_eq!(mode, if is_public { 0o644 } else { 0o600 }, "{name}");
    }
    let before = std::fs::read_to_string(place.join("keys/tokens")).unwrap();
    assert_eq!(before.lines().count(), 3);
    place
        .run(&["cert", "new", "--out", "keys"])
        .fails(2, &["exists", "--out"]);
    assert_eq!(
        std::fs::read_to_string(place.join("keys/tokens")).unwrap(),
        before
    );
    place
        .run(&["cert", "new", "--out", "more", "--host", "a b"])
        .fails(2, &["--host"]);
    place
        .run(&["cert", "new", "--out", "more", "--host", "a,,b"])
        .fails(2, &["--host"]);
    assert!(!place.join("more").exists(), "nothing is made on the way");
}

#[test]
fn p18_an_open_address_and_wrong_files_are_refused_at_the_start() {
    let place = Place::new();
    place.run(&["cert", "new", "--out", "keys"]).ok();
    let start = |args: &[&str]| place.run(&[&["coordinator"][..], args].concat());
    start(&["--listen=0.0.0.0:0"])
        .fails(2, &["neither TLS nor tokens", "--tls-cert", "--insecure"]);
    start(&["--listen=127.0.0.1:0", "--http=0.0.0.0:0"]).fails(2, &["neither TLS nor tokens"]);
    start(&["--listen=0.0.0.0:0", "--token-file=keys/tokens"]).fails(2, &["no TLS"]);
    place.write(
        "tokens",
        "worker abcdefghijabcdefghij\nqueen abcdefghijabcdefghiX\n",
    );
    start(&["--token-file=tokens"]).fails(2, &["tokens:2:", "worker, operator or reader"]);
    start(&["--token-file=missing"]).fails(2, &["cannot read missing"]);
    start(&["--token-file=."]).fails(2, &["is not a file"]);
    start(&["--tls-cert=keys/server.pem", "--tls-key=keys/ca.key"])
        .fails(2, &["do not belong together"]);
    start(&["--tls-cert=keys/server.key", "--tls-key=keys/server.key"]).fails(2, &["--tls-cert"]);
    let usage = start(&["--tls-cert=keys/server.pem"]);
    assert_eq!(usage.code, 2);
    assert!(usage.stderr.contains("--tls-key"), "{}", usage.stderr);
    // A file that others can read is taken, with a warning.
    let open = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(place.join("keys/reader.token"), open).unwrap();
    let warned = place.run(&[
        "census",
        "status",
        "--token-file=keys/reader.token",
        "--coordinator=127.0.0.1:1",
    ]);
    warned.fails(4, &["others can read keys/reader.token"]);
}

#[test]
fn p18_insecure_says_so_in_the_log_and_above_the_status() {
    let place = Place::new();
    let mut child = place
        .command(&["coordinator", "--listen=0.0.0.0:0", "--insecure"])
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(place.join("err")).unwrap())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.starts_with(LISTENING), "{line}");
    let status = place.run(&["census", "status", "--format", "tsv"]);
    status.check(status.ok().starts_with("run\t"), "data stays data");
    status.check(
        status.stderr.contains("INSECURE: neither TLS nor tokens"),
        "it warns",
    );
    let ended = Command::new("kill").arg(child.id().to_string()).status();
    assert!(ended.unwrap().success());
    child.wait().unwrap();
    let log = std::fs::read_to_string(place.join("err")).unwrap();
    assert!(log.contains("WARN") && log.contains("INSECURE"), "{log}");
}

/// Settings for a cluster do not disturb a census on this machine.
#[test]
fn a_local_census_takes_no_notice_of_a_clusters_files() {
    let place = Place::new();
    place.run(&["cert", "new", "--out", "keys"]).ok();
    let files = [
        ("TOADS_TLS_CA", "keys/ca.pem"),
        ("TOADS_TOKEN_FILE", "keys/worker.token"),
    ];
    let args = [
        "census",
        "run",
        "--squares=1..4",
        "--workers=1",
        "--threads=1",
        "--memory=256MiB",
    ];
    let ran = place.run_with(&args, &files);
    ran.check(ran.ok().contains("done"), "it is done");
}

#[test]
fn a_port_that_is_taken_is_named_with_the_flag_that_changes_it() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let parts = |flag| ["in use", "another coordinator", "ss -ltnp", flag];
    place
        .run(&["coordinator", "--listen", &addr])
        .fails(4, &parts("--listen"));
    place
        .run(&["coordinator", "--listen=127.0.0.1:0", "--http", &addr])
        .fails(4, &parts("--http"));
    let usage = place.run(&["coordinator", "--http", "everywhere"]);
    usage.check(
        usage.code == 2 && usage.stderr.contains("nor `off`"),
        "it says what to write",
    );
}
