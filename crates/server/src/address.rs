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
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The client's address. Behind a proxy on this machine it is what the proxy says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address(pub(crate) IpAddr);

impl Address {
    fn of(parts_peer: Option<&ConnectInfo<SocketAddr>>, headers: &HeaderMap) -> Address {
        let peer = parts_peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |c| c.0.ip());
        let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
        let said = forwarded
            .and_then(|v| v.to_str().ok()?.rsplit(',').next()?.trim().parse().ok())
            .filter(|_| peer.is_loopback());
        Address(said.unwrap_or(peer))
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
    if !app.limits.call(address.0) {
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
