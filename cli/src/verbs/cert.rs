//! `toads cert`: certificates and tokens for a cluster.

use std::fmt::Write as _;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write as _;
use std::net::IpAddr;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose,
};
use toads_coordinator::Role;

use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};

/// Make certificates and tokens for a cluster
#[derive(clap::Subcommand, Debug)]
pub(crate) enum CertVerb {
    New(NewArgs),
}

/// Make a test authority, a certificate that it signed, and a token for each role
///
/// Columns: file use. The certificate names localhost, 127.0.0.1, ::1 and every --host. No file is overwritten; keys and
/// tokens can be read by you alone. The authority is good for this cluster and nothing else: whoever has ca.key can make
/// certificates that your workers trust.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads cert new --out secrets --host node1.cluster,10.0.0.5
  toads coordinator --listen 0.0.0.0:7433 --tls-cert secrets/server.pem --tls-key secrets/server.key \\
    --token-file secrets/tokens
  toads worker --coordinator https://node1.cluster:7433 --tls-ca secrets/ca.pem --token-file secrets/worker.token")]
pub(crate) struct NewArgs {
    /// The folder to write to; made when it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Names and addresses under which the coordinator is reached
    #[arg(long, value_name = "NAME,IP…", value_delimiter = ',')]
    host: Vec<String>,

    /// For how many days the certificates are good
    #[arg(long, value_name = "DAYS", default_value_t = 825, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: u32,
}

/// Runs the verb.
pub(crate) fn run(verb: &CertVerb, context: &Context) -> Result<()> {
    let CertVerb::New(args) = verb;
    let pair = Pair::new(&args.host, args.days)?;
    let tokens = Role::ALL.map(|role| Ok((role, token()?)));
    let tokens: Vec<_> = tokens.into_iter().collect::<Result<_>>()?;
    let mut listed = String::new();
    for (role, token) in &tokens {
        let _ = writeln!(listed, "{role} {token}");
    }
    let mut files = vec![
        ("ca.pem".to_owned(), "clients: --tls-ca", pair.ca, false),
        (
            "ca.key".to_owned(),
            "nobody: keep it, or delete it",
            pair.ca_key,
            true,
        ),
        (
            "server.pem".to_owned(),
            "coordinator: --tls-cert",
            pair.server,
            false,
        ),
        (
            "server.key".to_owned(),
            "coordinator: --tls-key",
            pair.server_key,
            true,
        ),
        (
            "tokens".to_owned(),
            "coordinator: --token-file",
            listed,
            true,
        ),
    ];
    for (role, token) in tokens {
        let purpose = match role {
            Role::Worker => "workers: --token-file",
            Role::Operator => "operators: --token-file",
            Role::Reader => "readers: --token-file",
        };
        files.push((format!("{role}.token"), purpose, token + "\n", true));
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&args.out)
        .map_err(|error| Failure::path("make the folder", &args.out, &error))?;
    // All or nothing: a certificate beside another's key helps nobody.
    if let Some((name, ..)) = files.iter().find(|(name, ..)| args.out.join(name).exists()) {
        return Err(Failure::Input(format!(
            "{} exists; name another folder with --out, or remove what is there",
            args.out.join(name).display()
        )));
    }
    let mut table = Table::open(context.globals.format, ["file", "use"])?;
    for (name, purpose, text, is_secret) in &files {
        let path = args.out.join(name);
        write(&path, text, *is_secret)?;
        table.row(&[Cell::text(path.display()), Cell::text(purpose)])?;
    }
    table.close().map(drop)
}

fn write(path: &Path, text: &str, is_secret: bool) -> Result<()> {
    let opened = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(if is_secret { 0o600 } else { 0o644 })
        .open(path);
    opened
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .map_err(|error| {
            let _ = fs::remove_file(path);
            Failure::path("write", path, &error)
        })
}

/// 256 bits of the system's randomness, in hexadecimal.
fn token() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::failed(format_args!("the system gives no randomness: {error}"))
    })?;
    let mut token = String::new();
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}

/// An authority, a certificate that it signed, and their keys, all as PEM.
struct Pair {
    ca: String,
    ca_key: String,
    server: String,
    server_key: String,
}

impl Pair {
    fn new(hosts: &[String], days: u32) -> Result<Self> {
        let cannot = |error: rcgen::Error| {
            Failure::failed(format_args!("the certificates cannot be made: {error}"))
        };
        let mut authority = params(&[], days, "toads test authority")?;
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let ca_key = KeyPair::generate().map_err(cannot)?;
        let ca = authority.self_signed(&ca_key).map_err(cannot)?;

        let mut names = vec!["localhost".to_owned(), "127.0.0.1".into(), "::1".into()];
        names.extend(hosts.iter().map(|host| host.trim().to_owned()));
        let mut server = params(&names, days, "toads coordinator")?;
        server.use_authority_key_identifier_extension = true;
        server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let server_key = KeyPair::generate().map_err(cannot)?;
        let issuer = Issuer::from_params(&authority, &ca_key);
        let signed: Certificate = server.signed_by(&server_key, &issuer).map_err(cannot)?;
        Ok(Self {
            ca: ca.pem(),
            ca_key: ca_key.serialize_pem(),
            server: signed.pem(),
            server_key: server_key.serialize_pem(),
        })
    }
}

/// Whether it can stand as the host of an address: a name or an IP address.
fn is_host(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    text.parse::<IpAddr>().is_ok() || !text.is_empty() && text.chars().all(is_name)
}

fn params(names: &[String], days: u32, title: &str) -> Result<CertificateParams> {
    if let Some(wrong) = names.iter().find(|name| !is_host(name)) {
        return Err(Failure::Input(format!(
            "`{wrong}` is no host; --host takes names and addresses such as node1.cluster,10.0.0.5"
        )));
    }
    let mut params = CertificateParams::new(names).map_err(|error| {
        Failure::Input(format!(
            "a host is no name or address ({error}); --host takes such as node1.cluster,10.0.0.5"
        ))
    })?;
    params.distinguished_name.push(DnType::CommonName, title);
    // A day of grace for clocks that are behind.
    let day = Duration::from_secs(24 * 60 * 60);
    let now = SystemTime::now();
    params.not_before = (now - day).into();
    params.not_after = (now + day * days).into();
    Ok(params)
}
