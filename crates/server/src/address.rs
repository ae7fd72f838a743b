//! Where a request comes from, and whether it comes from our own page.

use crate::app::App;
use crate::problem::Problem;
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

/// The client's address. Behind a proxy on this machine it is what the proxy says; `None` is this machine itself,
/// which no limit holds for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address(pub(crate) Option<IpAddr>);

impl Address {
    fn of(peer: Option<&ConnectInfo<SocketAddr>>, headers: &HeaderMap) -> Address {
        let remote = peer.map(|c| c.0.ip()).filter(|ip| !ip.is_loopback());
        let forwarded = || {
            headers
                .get_all("x-forwarded-for")
                .iter()
                .next_back()?
                .to_str()
                .ok()
        };
        let said = || forwarded()?.rsplit(',').next()?.trim().parse().ok();
        Address(remote.or_else(said))
    }
}

impl<S: Sync> FromRequestParts<S> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Address, Infallible> {
        Ok(Address::of(parts.extensions.get(), &parts.headers))
    }
}

/// Middleware for calls: turns away what comes too fast, and what another site's page sends in a guest's name.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let address = Address::of(request.extensions().get(), request.headers());
    if !app.limits.call(address) {
        return Problem::too_fast().into_response();
    }
    let changes = request.method() != Method::GET || request.headers().contains_key("upgrade");
    if changes && !is_same_origin(request.headers()) {
        let message = "this comes from a page of another site";
        return Problem::new(StatusCode::FORBIDDEN, "bad-origin", message).into_response();
    }
    next.run(request).await
}

/// Browsers say where a page comes from; programs need not.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else {
        return true;
    };
    let host = headers.get(HOST).and_then(|h| h.to_str().ok());
    let origin = origin.to_str().ok().and_then(|o| o.split_once("://"));
    origin.is_some_and(|(_, origin)| Some(origin) == host)
}
