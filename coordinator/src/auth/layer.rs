//! Asks every gRPC call for its token, before anything of it is read.

use std::future::{Future, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use tonic::Status;
use tonic::codegen::http::{Request, Response, header};
use tower::{Layer, Service};

use super::tokens::Denied;
use crate::core::Core;

/// Puts [`Auth`] around the services.
#[derive(Clone)]
pub(crate) struct AuthLayer(Core);

impl AuthLayer {
    pub(crate) fn new(core: &Core) -> Self {
        Self(core.clone())
    }
}

impl<S> Layer<S> for AuthLayer {
    type Service = Auth<S>;

    fn layer(&self, inner: S) -> Auth<S> {
        Auth {
            core: self.0.clone(),
            inner,
        }
    }
}

/// The services behind the question who calls.
#[derive(Clone)]
pub(crate) struct Auth<S> {
    core: Core,
    inner: S,
}

type Answer<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

impl<S, B, R> Service<Request<B>> for Auth<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
    R: Default + Send + 'static,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Answer<Response<R>, S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shown = request.headers().get(header::AUTHORIZATION);
        let admitted = match &self.core.config.tokens {
            None => Ok(()),
            Some(tokens) => tokens.admit(
                request.uri().path(),
                shown.map(header::HeaderValue::as_bytes),
            ),
        };
        match admitted {
            Ok(()) => Box::pin(self.inner.call(request)),
            Err(denied) => {
                self.core.counters.deny(denied);
                Box::pin(ready(Ok(refusal(denied).into_http())))
            }
        }
    }
}

fn refusal(denied: Denied) -> Status {
    let text = denied.to_string();
    match denied {
        Denied::NoToken | Denied::WrongToken => Status::unauthenticated(text),
        Denied::WrongRole { .. } => Status::permission_denied(text),
    }
}
