//! Tests `puli board`, the server of the web page, as a process: its output, its threads, and its limits of connections
//! and files.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, WebSocket};

/// Timeout, far above the time that any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The arguments that start a server on a free port without opening a browser.
const COMMAND: [&str; 4] = ["board", "--port", "0", "--no-open"];

/// A running server. Dropping it kills the process.
struct Server {
    child: Child,
    port: u16,
    token: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        Self::start_command(
            Command::new(env!("CARGO_BIN_EXE_puli")).args(COMMAND),
            arguments,
        )
    }

    /// Starts a server that may open at most `files` files.
    fn start_with_files(files: usize) -> Self {
        let script = format!("ulimit -n {files} && exec \"$0\" \"$@\"");
        let program = env!("CARGO_BIN_EXE_puli");
        Self::start_command(
            Command::new("sh")
                .args(["-c", &script, program])
                .args(COMMAND),
            &[],
        )
    }

    fn start_command(command: &mut Command, arguments: &[&str]) -> Self {
        let mut child = command
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line
            .trim_end()
            .strip_prefix("the board is at http://127.0.0.1:");
        let (port, token) = address
            .and_then(|rest| rest.split_once("/#token="))
            .expect("an address");
        Self {
            port: port.parse().expect("a port"),
            token: token.into(),
            child,
        }
    }

    /// Opens a WebSocket like a page of the server, and sends the token.
    fn page(&self) -> WebSocket<TcpStream> {
        let mut request = format!("ws://127.0.0.1:{}/ws", self.port)
            .into_client_request()
            .expect("a request");
        let origin = format!("http://127.0.0.1:{}", self.port).parse();
        request
            .headers_mut()
            .insert("Origin", origin.expect("a header"));
        let (mut socket, _) = tungstenite::client(request, self.connect()).expect("a socket");
        socket
            .send(Message::text(self.token.clone()))
            .expect("sent");
        assert_eq!(receive(&mut socket), "info string welcome");
        socket
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        stream
    }

    /// Requests a file and returns the whole response.
    fn get(&self, path: &str) -> String {
        let mut stream = self.connect();
        let host = format!("127.0.0.1:{}", self.port);
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("an answer");
        response
    }

    /// Returns the number of threads with this name.
    fn threads(&self, name: &str) -> usize {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("a process");
        let names =
            tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
        names.filter(|comm| comm.trim() == name).count()
    }

    /// Waits until `holds` returns `true`. `what` describes the condition.
    fn wait_for(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(start.elapsed() < TIMEOUT, "timeout: {what}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Returns the next text message.
fn receive(socket: &mut WebSocket<TcpStream>) -> String {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => return text.to_string(),
            Ok(_) => {}
            // A signal interrupts a read with a timeout.
            Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => panic!("expected a message: {error}"),
        }
    }
}

#[test]
fn closed_page_ends_its_search_and_threads() {
    let server = Server::start(&[]);
    for sends_close in [true, false] {
        let mut page = server.page();
        for line in ["position startpos", "go depth 255"] {
            page.send(Message::text(line)).expect("sent");
        }
        while !receive(&mut page).starts_with("info depth 6 ") {}
        assert!(server.threads("search") > 0 && server.threads("session") > 0);
        if sends_close {
            page.close(None).expect("sent");
            drop(page.flush());
        }
        drop(page);
        for name in ["search", "session", "reader", "listener"] {
            server.wait_for(&format!("no thread {name} is left"), |server| {
                server.threads(name) == 0
            });
        }
    }
}

#[test]
fn connections_without_reads_do_not_block_others() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    let requests = format!("GET /variants.json HTTP/1.1\r\n{host}\r\n").repeat(40);
    // The server keeps 512 connections, so it must close some of these 520.
    let connections: Vec<_> = (0..520)
        .map(|_| {
            let mut stream = server.connect();
            stream.set_nonblocking(true).expect("a connection");
            drop(stream.write(requests.as_bytes()));
            stream
        })
        .collect();
    for _ in 0..3 {
        assert!(server.get("/").starts_with("HTTP/1.1 200 OK\r\n"));
        drop(server.page());
    }
    page.send(Message::text("isready")).expect("sent");
    assert_eq!(receive(&mut page), "readyok");
    drop(connections);
}

#[test]
fn connections_are_freed_at_file_limit() {
    let server = Server::start_with_files(64);
    let connections: Vec<_> = (0..100).map(|_| server.connect()).collect();
    assert!(server.get("/").starts_with("HTTP/1.1 200 OK\r\n"));
    drop(connections);
}

#[test]
fn page_lists_board_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.txt");
    let kaooa = puli::games::hunt::board::text_of("kaooa").expect("a board");
    fs::write(&file, kaooa.replace("game kaooa", "game mine")).expect("room");
    let server = Server::start(&["--boards", file.to_str().expect("text")]);
    let mut page = server.page();
    for line in ["setoption name UCI_Variant value mine", "state"] {
        page.send(Message::text(line)).expect("sent");
    }
    let state = receive(&mut page);
    assert!(state.starts_with("state {"), "{state}");
    assert!(state.contains(r#""variant":"mine""#), "{state}");
    // A page may send a board itself.
    let text = kaooa.replace("game kaooa", "game drawn");
    let text = serde_json::Value::from(text).to_string();
    let lines = [
        format!("setoption name VariantText value {text}"),
        "setoption name UCI_Variant value drawn".to_string(),
        "state".to_string(),
    ];
    for line in lines {
        page.send(Message::text(line)).expect("sent");
    }
    let state = receive(&mut page);
    assert!(state.contains(r#""variant":"drawn""#), "{state}");
    // A page must not be able to make the server read other files.
    let line = format!("setoption name VariantPath value {}", file.display());
    page.send(Message::text(line)).expect("sent");
    assert!(receive(&mut page).starts_with("info string error: "));
}

#[test]
fn reports_taken_port_and_missing_folder() {
    let server = Server::start(&[]);
    for (arguments, message) in [
        (
            vec!["--port", &server.port.to_string()],
            "cannot listen on port",
        ),
        (vec!["--tables", "nowhere"], "no such folder: 'nowhere'"),
        (vec!["--eval-file", "nowhere"], "nowhere"),
        (vec!["--boards", "nowhere"], "nowhere"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_puli"))
            .args(["board", "--no-open"])
            .args(&arguments)
            .output()
            .expect("the program starts");
        let expected = if arguments[0] == "--port" { 1 } else { 2 };
        assert_eq!(output.status.code(), Some(expected), "{arguments:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(message), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}
