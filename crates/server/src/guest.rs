//! Guests: whoever holds a cookie. Nothing is stored of a guest who has not done anything.

use axum::extract::{FromRequestParts, Request};
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use rand::RngExt;
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::fmt::Write;

const COOKIE_NAME: &str = "xinqi";
/// Bytes of a token; in the cookie twice as many hexadecimal digits.
const TOKEN_BYTES: usize = 32;
/// A year: as long as browsers keep a cookie.
const KEPT: u32 = 31_536_000;

/// Who asks. The id is a hash of the cookie's token: the database does not hold what opens a seat.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Guest(pub(crate) String);

impl Guest {
    fn of_token(token: &str) -> Guest {
        Guest(hex(&Sha256::digest(token)[..16]))
    }
}

impl<S: Sync> FromRequestParts<S> for Guest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Guest, Infallible> {
        let guest = parts.extensions.get::<Guest>().cloned();
        Ok(guest.unwrap_or_else(|| Guest::of_token(&new_token())))
    }
}

/// Middleware: finds the guest of a request, or makes a new one and sets the cookie with the answer.
pub(crate) async fn recognise(mut request: Request, next: Next) -> Response {
    if request.uri().path().starts_with("/assets/") {
        return next.run(request).await;
    }
    if let Some(token) = token(request.headers()) {
        let guest = Guest::of_token(token);
        request.extensions_mut().insert(guest);
        return next.run(request).await;
    }
    let token = new_token();
    request.extensions_mut().insert(Guest::of_token(&token));
    let mut response = next.run(request).await;
    let cookie = format!("{COOKIE_NAME}={token}; Path=/; Max-Age={KEPT}; HttpOnly; SameSite=Lax");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(SET_COOKIE, value);
    }
    response
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|v| v.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('='))
        .find(|t| t.len() == 2 * TOKEN_BYTES && t.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn new_token() -> String {
    hex(&rand::rng().random::<[u8; TOKEN_BYTES]>())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
