//! The page, carried in the binary.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

const PLACEHOLDER: &str = "<!doctype html><title>xinqi</title><p>This binary was built without its page. \
    Build <code>web/</code> first, then build again.";

/// Answers whatever is no call: a file of the page, or the page itself for the addresses it knows how to show.
pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(file) = Page::get(path) {
        return send(path, &file, &headers);
    }
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if path.starts_with("api/") || path.starts_with("assets/") || is_file {
        return (StatusCode::NOT_FOUND, "not found").into_response();
    }
    match Page::get("index.html") {
        Some(file) => send("index.html", &file, &headers),
        None => Html(PLACEHOLDER).into_response(),
    }
}

fn send(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String = file.metadata.sha256_hash()[..12]
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    let tag = format!("\"{hash}\"");
    // The build names the files in assets/ by their contents.
    let caching = match path.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    if headers
        .get(IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == tag.as_bytes())
    {
        return (
            StatusCode::NOT_MODIFIED,
            [(CACHE_CONTROL, caching.to_owned()), (ETAG, tag)],
        )
            .into_response();
    }
    let kind = file.metadata.mimetype().to_owned();
    let headers = [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, caching.to_owned()),
        (ETAG, tag),
    ];
    (headers, file.data.clone().into_owned()).into_response()
}
