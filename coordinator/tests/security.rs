//! TLS, tokens and roles over real sockets (promises P18 and P25).

#[path = "support/http.rs"]
mod http;

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{ask, get};
use rcgen::{CertificateParams, KeyPair};
use toads_coordinator::{Config, Coordinator, Identity, Phase, StartError, Tokens};
use toads_store::{Keep, MemoryStore};
use toads_strip::Variant;
use toads_wire::client::{Access, Bearer, Channel, Token, endpoint};
use toads_wire::v1;
use toads_wire::v1::census_client::CensusClient;
use toads_worker::{ExitReason, Shutdown, WorkerError};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};
use tonic::Code;

const WORKER: &str = "worker-token-0123456789";
const OPERATOR: &str = "operator-token-0123456789";
const READER: &str = "reader-token-0123456789";

fn tokens() -> Tokens {
    let file = format!("worker {WORKER}\noperator {OPERATOR}\nreader {READER}\n");
    Tokens::parse(&file).unwrap()
}

/// A certificate for 127.0.0.1 that is its own authority, and its key.
fn certificate() -> (Vec<u8>, Vec<u8>) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    (pem.into_bytes(), key.serialize_pem().into_bytes())
}

/// A coordinator with TLS and tokens on loopback, and the certificate to trust.
async fn protected() -> (Coordinator, Vec<u8>) {
    let (pem, key) = certificate();
    let config = Config {
        http: Some(([127, 0, 0, 1], 0).into()),
        identity: Some(Identity::new(pem.clone(), key).unwrap()),
        tokens: Some(tokens()),
        ..Config::local()
    };
    let store = Arc::new(MemoryStore::new());
    (Coordinator::start(config, store).await.unwrap(), pem)
}

fn access(pem: &[u8], token: Option<&str>) -> Access {
    Access {
        authorities: Some(pem.to_vec()),
        token: token.map(|token| Token::new(token).unwrap()),
    }
}

async fn census(url: &str, access: &Access) -> CensusClient<Channel> {
    let channel = endpoint(url, access).unwrap().connect().await.unwrap();
    CensusClient::new(Channel::new(channel, Bearer::new(access)))
}

fn worker(url: &str, access: Access) -> toads_worker::Config {
    toads_worker::Config {
        coordinator: url.to_owned(),
        access,
        memory_bytes: 256 << 20,
        exit_when_done: true,
        connect_timeout: Some(Duration::from_secs(60)),
        ..toads_worker::Config::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p18_a_census_over_tls_with_tokens() {
    let (coordinator, pem) = protected().await;
    let url = coordinator.url();
    assert!(url.starts_with("https://"), "{url}");
    let run = coordinator
        .submit_run(Variant::Hop, 1..=5, Keep::Blocks)
        .await
        .unwrap();
    let ended = toads_worker::run(worker(&url, access(&pem, Some(WORKER))), Shutdown::new()).await;
    assert_eq!(ended, Ok(ExitReason::Done));
    let summary = coordinator.run(run.record.id).unwrap();
    assert_eq!(summary.phase, Phase::Done);
    let mut reader = census(&url, &access(&pem, Some(READER))).await;
    let listed = reader.list_runs(v1::ListRunsRequest {}).await.unwrap();
    let listed = listed.into_inner();
    assert_eq!(listed.runs.len(), 1);
    assert_eq!(listed.protection, "loopback, TLS, tokens");
    coordinator.shutdown(Duration::from_secs(1)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p18_without_the_right_token_nothing_is_done() {
    let (coordinator, pem) = protected().await;
    let url = coordinator.url();
    let pause = |token: Option<&'static str>| {
        let (url, access) = (url.clone(), access(&pem, token));
        async move {
            let mut client = census(&url, &access).await;
            let answer = client.pause(v1::PauseRequest { run: 1 }).await;
            let status = answer.unwrap_err();
            (status.code(), status.message().to_owned())
        }
    };
    let (code, text) = pause(None).await;
    assert_eq!(code, Code::Unauthenticated, "{text}");
    assert!(text.contains("--token-file"), "{text}");
    let (code, text) = pause(Some("a-token-that-nobody-has")).await;
    assert_eq!(code, Code::Unauthenticated, "{text}");
    for token in [READER, WORKER] {
        let (code, text) = pause(Some(token)).await;
        assert_eq!(code, Code::PermissionDenied, "{text}");
        assert!(text.contains("the role operator"), "{text}");
    }
    // Here the call itself is made: there is no such run.
    assert_eq!(pause(Some(OPERATOR)).await.0, Code::NotFound);
    // A worker with another token ends; it does not try for ever.
    for (token, part) in [
        (None, "asks for a token"),
        (Some(OPERATOR), "the token is of the role operator"),
    ] {
        let ended = toads_worker::run(worker(&url, access(&pem, token)), Shutdown::new()).await;
        let Err(WorkerError::Config(text)) = ended else {
            panic!("{ended:?}");
        };
        assert!(text.contains(part), "{text}");
    }
    // Nor does one that trusts somebody else, or does not speak TLS.
    let (other, _) = certificate();
    let plain = url.replace("https", "http");
    for (url, access) in [
        (&url, access(&other, Some(WORKER))),
        (&plain, Access::default()),
    ] {
        let ended = toads_worker::run(worker(url, access), Shutdown::new()).await;
        assert!(matches!(ended, Err(WorkerError::Config(_))), "{ended:?}");
    }
}

async fn https(url: &str, pem: &[u8], path: &str, token: Option<&str>) -> (u16, String) {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        roots.add(certificate.unwrap()).unwrap();
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let addr = url.strip_prefix("https://").unwrap();
    let tcp = TcpStream::connect(addr).await.unwrap();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let stream = TlsConnector::from(Arc::new(config))
        .connect(name, tcp)
        .await
        .unwrap();
    ask(stream, path, token).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p18_http_is_protected_as_grpc_is() {
    let (coordinator, pem) = protected().await;
    let url = coordinator.http_url().unwrap();
    for (path, token, status) in [
        ("/healthz", None, 200),
        ("/readyz", None, 200),
        ("/metrics", None, 401),
        ("/metrics", Some("a-token-that-nobody-has"), 401),
        ("/metrics", Some(WORKER), 403),
        ("/metrics", Some(READER), 200),
        ("/metrics", Some(OPERATOR), 200),
    ] {
        let (got, body) = https(&url, &pem, path, token).await;
        assert_eq!(got, status, "{path} {token:?}: {body}");
        for secret in [WORKER, OPERATOR, READER] {
            assert!(!body.contains(secret), "{body}");
        }
    }
    let (_, page) = https(&url, &pem, "/metrics", Some(READER)).await;
    for line in [
        "toads_calls_denied_total{reason=\"no_token\"} 1",
        "toads_calls_denied_total{reason=\"wrong_token\"} 1",
        "toads_calls_denied_total{reason=\"wrong_role\"} 1",
    ] {
        assert!(page.contains(line), "no {line} in\n{page}");
    }
}

#[tokio::test]
async fn p18_an_open_address_needs_both_or_insecure() {
    let (pem, key) = certificate();
    let identity = Identity::new(pem, key).unwrap();
    let open = Config {
        listen: ([0, 0, 0, 0], 0).into(),
        ..Config::local()
    };
    let start = |config: Config| Coordinator::start(config, Arc::new(MemoryStore::new()));
    for (config, part) in [
        (open.clone(), "neither TLS nor tokens"),
        (
            Config {
                identity: Some(identity.clone()),
                ..open.clone()
            },
            "no tokens",
        ),
        (
            Config {
                tokens: Some(tokens()),
                ..open.clone()
            },
            "no TLS",
        ),
        (
            Config {
                listen: ([127, 0, 0, 1], 0).into(),
                http: Some(open.listen),
                ..open.clone()
            },
            "neither TLS nor tokens",
        ),
    ] {
        let refused = start(config).await.err().unwrap();
        assert!(matches!(refused, StartError::Exposed { .. }), "{refused}");
        let text = refused.to_string();
        assert!(text.contains(part) && text.contains("--insecure"), "{text}");
    }
    let insecure = start(Config {
        insecure: true,
        ..open.clone()
    });
    let protection = insecure.await.unwrap().protection().to_string();
    assert!(protection.starts_with("INSECURE"), "{protection}");
    let both = start(Config {
        identity: Some(identity),
        tokens: Some(tokens()),
        ..open
    });
    assert_eq!(both.await.unwrap().protection().to_string(), "TLS, tokens");
}

#[tokio::test]
async fn a_certificate_and_another_key_do_not_make_an_identity() {
    let (pem, key) = certificate();
    let (_, other) = certificate();
    for (pem, key, part) in [
        (b"nothing".to_vec(), key.clone(), "no certificate in PEM"),
        (pem.clone(), b"nothing".to_vec(), "not a private key"),
        (pem.clone(), other, "do not belong together"),
    ] {
        let text = Identity::new(pem, key).unwrap_err().to_string();
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(
        format!("{:?}", Identity::new(pem, key).unwrap()),
        "Identity(…)"
    );
}

/// Connections that say nothing – before TLS, after it, in the middle of a request – keep nobody waiting, neither others
/// nor the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p25_stopping_is_bounded_with_idle_and_half_open_connections() {
    for protect in [false, true] {
        let (coordinator, pem) = if protect {
            protected().await
        } else {
            let config = Config {
                http: Some(([127, 0, 0, 1], 0).into()),
                ..Config::local()
            };
            let store = Arc::new(MemoryStore::new());
            (Coordinator::start(config, store).await.unwrap(), Vec::new())
        };
        let (grpc, http) = (coordinator.url(), coordinator.http_url().unwrap());
        let mut open = Vec::new();
        for url in [&grpc, &http] {
            let addr = url.split("://").nth(1).unwrap();
            for _ in 0..4 {
                let silent = TcpStream::connect(addr).await.unwrap();
                open.push(silent);
                let half = TcpStream::connect(addr).await.unwrap();
                half.writable().await.unwrap();
                half.try_write(b"GET /metr").unwrap();
                open.push(half);
            }
        }
        let access = if protect {
            access(&pem, Some(READER))
        } else {
            Access::default()
        };
        // An idle connection that is well, and a stream that goes on.
        let mut client = census(&grpc, &access).await;
        let follow = v1::EventsRequest {
            follow: true,
            ..v1::EventsRequest::default()
        };
        let mut events = client.events(follow).await.unwrap().into_inner();
        assert!(events.message().await.unwrap().is_some());
        let answered = if protect {
            https(&http, &pem, "/readyz", None).await
        } else {
            get(&http, "/readyz").await
        };
        assert_eq!(answered.0, 200);
        let started = Instant::now();
        coordinator.shutdown(Duration::from_secs(1)).await.unwrap();
        // Two limits of two seconds and a grace of one; a minute is only there to tell "bounded" from "for ever".
        assert!(started.elapsed() < Duration::from_secs(60));
        drop(open);
    }
}
