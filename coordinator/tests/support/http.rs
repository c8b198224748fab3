//! The least HTTP that a test needs.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Asks for a path; the status and the body.
pub(crate) async fn get(url: &str, path: &str) -> (u16, String) {
    let addr = url.strip_prefix("http://").unwrap();
    let stream = TcpStream::connect(addr).await.unwrap();
    ask(stream, path, None).await
}

/// The same over a connection that is there, with a token.
pub(crate) async fn ask<S>(mut stream: S, path: &str, token: Option<&str>) -> (u16, String)
where
    S: AsyncReadExt + AsyncWriteExt + Unpin,
{
    let token = token.map_or_else(String::new, |token| {
        format!("Authorization: Bearer {token}\r\n")
    });
    let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\n{token}Connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    // Over TLS the end may come without a word.
    let _ = stream.read_to_string(&mut answer).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).unwrap_or_default();
    (status.parse().unwrap_or(0), body.to_owned())
}
