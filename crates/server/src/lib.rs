//! The web server: tables over WebSocket, a few calls over HTTP, and the page itself.
//!
//! Architecture invariant: nothing of a game leaves this crate but what [`xinqi_table::Table`] shows a viewer.

mod address;
mod api;
mod app;
mod assets;
mod bots;
mod bus;
mod engines;
mod guest;
mod keeper;
mod limits;
mod live;
mod metrics;
mod problem;
mod socket;
mod time;
mod wire;

pub use bus::{Bus, BusError};
pub use engines::{EngineError, Engines, Named};
pub use time::{SystemClock, Time, Wait};
pub use xinqi_store::{Store, StoreError};

use app::App;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State, WebSocketUpgrade};
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::from_fn;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::serve::ListenerExt;
use guest::Guest;
use problem::Problem;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;

/// How a server runs.
pub struct Config {
    /// The database.
    pub store: Store,
    /// The clock.
    pub time: Arc<dyn Time>,
    /// How long low-level bots wait before they answer, at least.
    pub bot_delay: Duration,
    /// The operator's engines.
    pub engines: Engines,
    /// What ties this node to others on the same database.
    pub bus: Option<Bus>,
}

/// Why a server stopped, other than being told to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network.
    #[error("network: {0}")]
    Network(#[from] std::io::Error),
}

/// Serves on `listener` until `shutdown` is done; then tells every connection, finishes what is being written, and
/// closes the database.
///
/// # Errors
/// When the database or the network fails at the start.
pub async fn serve(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let (close, closing) = app::Closing::new();
    let (store, time) = (config.store.clone(), config.time.clone());
    let app = App::new(config, closing);
    app.note_outage().await?;
    let watching = tokio::spawn(app.clone().watch_time());
    let listening = tokio::spawn(app.clone().listen());
    let service = router(app).into_make_service_with_connect_info::<SocketAddr>();
    // Answers are small and wait for nothing: without this many of them wait 40 ms for the other side's acknowledgement.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
    });
    axum::serve(listener, service)
        .with_graceful_shutdown(async move {
            shutdown.await;
            let _ = close.send(true);
        })
        .await?;
    let _ = watching.await;
    listening.abort();
    store.heartbeat(app::to_i64(time.now())).await?;
    store.close().await;
    Ok(())
}

fn router(app: App) -> Router {
    let header = |name, value| SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value));
    let api = Router::new()
        .route("/me", get(api::me).post(api::rename))
        .route("/rules", get(api::rules))
        .route("/rules/check", post(api::check))
        .route("/position", post(api::position))
        .route("/tables", get(api::my_tables).post(api::create))
        .route("/tables/{id}/judge", post(api::judge))
        .route("/tables/{id}/record", get(api::record))
        .route("/tables/{id}/socket", any(connect))
        .fallback(async || Problem::new(StatusCode::NOT_FOUND, "not-found", "there is no such call"))
        .method_not_allowed_fallback(async || {
            let message = "this call is not made by this method";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "malformed", message)
        })
        .layer(DefaultBodyLimit::max(api::LONGEST_BODY))
        .layer(from_fn_with_state(app.clone(), address::guard));
    Router::new()
        .nest("/api", api)
        .route("/metrics", get(api::metrics))
        .fallback(get(assets::serve))
        .layer(from_fn(guest::recognise))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(REFERRER_POLICY, "same-origin"))
        .layer(header(
            CONTENT_SECURITY_POLICY,
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'",
        ))
        .layer(CompressionLayer::new())
        .layer(TraceLayer::new_for_http())
        .with_state(app)
}

async fn connect(
    State(app): State<App>,
    Path(id): Path<String>,
    guest: Guest,
    upgrade: WebSocketUpgrade,
) -> Response {
    let live = match app.table(&id).await {
        Ok(live) => live,
        Err(problem) => return problem.into_response(),
    };
    // Whoever comes sees the latest, whether or not this node has heard of it.
    if let Err(problem) = live.look(&app).await {
        return problem.into_response();
    }
    upgrade
        .max_message_size(socket::LONGEST_MESSAGE)
        .on_upgrade(move |socket| socket::serve(app, live, guest, socket))
}
