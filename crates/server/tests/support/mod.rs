//! Browsers without a browser: guests with cookies, calls over HTTP, connections to tables. Nothing here sleeps; all
//! waiting is for what the server says, with one limit after which a test fails.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// How long anything may take before a test fails.
const LIMIT: Duration = Duration::from_secs(15);

/// Ids of commands that were not used before.
static IDS: AtomicU32 = AtomicU32::new(0);

/// Waits for `what`, but not for ever.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(LIMIT, what).await.expect("it takes too long")
}

/// An answer over HTTP.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    /// The code of the error that this is.
    pub(crate) fn error(&self) -> String {
        assert!((400..600).contains(&self.status), "{} {}", self.status, self.body);
        let error = &self.json()["error"];
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|m| !m.is_empty() && !m.contains('\n')),
            "{error}"
        );
        error["code"].as_str().unwrap().to_owned()
    }
}

/// A browser's worth of cookies.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) server: SocketAddr,
    pub(crate) cookie: String,
}

impl Guest {
    /// Somebody who opens the page for the first time.
    pub(crate) async fn new(server: SocketAddr) -> Guest {
        let nobody = Guest {
            server,
            cookie: String::new(),
        };
        let first = nobody.get("/").await;
        let cookie = first.headers.lines().find_map(|l| l.strip_prefix("set-cookie: "));
        let cookie = cookie.expect("the first answer sets the cookie");
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
            "{cookie}"
        );
        Guest {
            server,
            cookie: cookie.split(';').next().unwrap().to_owned(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, "", "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call("POST", path, "", &body.to_string()).await
    }

    /// One call; `headers` are whole lines, each ended by CR LF.
    pub(crate) async fn call(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let Guest { server, cookie } = self;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {server}\r\ncookie: {cookie}\r\nconnection: close\r\n\
             {headers}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut answer = Vec::new();
        soon(async {
            let mut stream = TcpStream::connect(server).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
            stream.read_to_end(&mut answer).await.unwrap();
        })
        .await;
        let answer = String::from_utf8(answer).unwrap();
        let (headers, body) = answer.split_once("\r\n\r\n").unwrap();
        Answer {
            status: headers[9..12].parse().unwrap(),
            headers: headers.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Opens a table and gives its id.
    pub(crate) async fn open(&self, table: Value) -> String {
        let answer = self.post("/api/tables", &table).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["table"].as_str().unwrap().to_owned()
    }

    /// Connects to a table.
    pub(crate) async fn sit(&self, table: &str) -> Tab {
        self.try_sit(table, "").await.unwrap()
    }

    /// Connects to a table from a page of `origin`, when that is not empty.
    pub(crate) async fn try_sit(&self, table: &str, origin: &str) -> Result<Tab, tungstenite::Error> {
        let url = format!("ws://{}/api/tables/{table}/socket", self.server);
        let mut request = url.into_client_request()?;
        request
            .headers_mut()
            .insert("cookie", self.cookie.parse().unwrap());
        if !origin.is_empty() {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        let (socket, _) = soon(connect_async(request)).await?;
        Ok(Tab {
            socket,
            state: Value::Null,
            log: Vec::new(),
            heard: Vec::new(),
        })
    }
}

/// A connection to a table, as a page keeps it.
pub(crate) struct Tab {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The latest state.
    pub(crate) state: Value,
    /// The log, put together from what the states held of it.
    pub(crate) log: Vec<Value>,
    /// Every frame received, as it came.
    pub(crate) heard: Vec<String>,
}

impl Tab {
    /// Sends a frame as it is.
    pub(crate) async fn send(&mut self, frame: Message) {
        soon(self.socket.send(frame)).await.unwrap();
    }

    /// Sends a command under a fresh id and gives the answer: `Ok`, or the error's code.
    pub(crate) async fn act(&mut self, text: &str) -> Result<(), String> {
        let id = IDS.fetch_add(1, Ordering::Relaxed).to_string();
        self.act_as(&id, text).await
    }

    /// Sends a command under `id` and gives the answer.
    pub(crate) async fn act_as(&mut self, id: &str, text: &str) -> Result<(), String> {
        let frame = json!({"id": id, "do": text}).to_string();
        self.send(Message::text(frame)).await;
        self.answer(id).await
    }

    /// Waits for the answer to the command `id`.
    pub(crate) async fn answer(&mut self, id: &str) -> Result<(), String> {
        let waiting = async {
            loop {
                let frame = self.next().await.expect("the connection ended");
                if frame["ack"] == id {
                    return Ok(());
                }
                if frame["nack"] == id {
                    return Err(frame["error"]["code"].as_str().unwrap().to_owned());
                }
            }
        };
        let answer = timeout(LIMIT, waiting).await;
        answer.unwrap_or_else(|_| panic!("no answer to the command {id}"))
    }

    /// The code of the next error frame.
    pub(crate) async fn error(&mut self) -> String {
        soon(async {
            loop {
                let frame = self.next().await.expect("the connection ended");
                if let Some(code) = frame["error"]["code"].as_str() {
                    let message = frame["error"]["message"].as_str().unwrap();
                    assert!(!message.contains('\n'), "{message}");
                    return code.to_owned();
                }
            }
        })
        .await
    }

    /// Waits until the state is as wanted.
    pub(crate) async fn until(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> &Value {
        let waiting = async {
            while self.state.is_null() || !wanted(&self.state) {
                let frame = self.next().await;
                frame.unwrap_or_else(|| panic!("waited for: {what}; the connection ended"));
            }
        };
        if timeout(LIMIT, waiting).await.is_err() {
            panic!("waited for: {what}; the state is {}", self.state);
        }
        &self.state
    }

    /// Waits until `ply` plies have been played.
    pub(crate) async fn until_ply(&mut self, ply: u64) -> &Value {
        self.until(&format!("ply {ply}"), |s| s["view"]["ply"] == ply)
            .await
    }

    /// Waits until the server ends the connection.
    pub(crate) async fn end(&mut self) {
        soon(async { while self.next().await.is_some() {} }).await;
    }

    /// The next frame; `None` when the connection has ended.
    async fn next(&mut self) -> Option<Value> {
        loop {
            match self.socket.next().await? {
                Ok(Message::Text(text)) => {
                    self.heard.push(text.to_string());
                    let frame: Value = serde_json::from_str(&text).unwrap();
                    if let Some(state) = frame.get("state") {
                        self.keep(state);
                    }
                    return Some(frame);
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    fn keep(&mut self, state: &Value) {
        let from = usize::try_from(state["log_from"].as_u64().unwrap()).unwrap();
        assert!(from <= self.log.len(), "the log has a hole");
        self.log.truncate(from);
        self.log.extend(state["log"].as_array().unwrap().iter().cloned());
        self.state = state.clone();
    }

    /// The texts of the log.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.log.iter().map(|e| e["text"].as_str().unwrap()).collect()
    }

    /// Leaves without a word.
    pub(crate) async fn leave(self) {
        drop(self.socket);
    }
}
