//! The server as a program: what only a process of its own can show.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Ends with the test, whatever it says.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server of the corpus that may open this many files, its port and its token.
fn serve(folder: &Path, files: u32) -> (Server, u16, String) {
    let script = format!("ulimit -n {files}; exec \"$0\" serve \"$1\" --no-browser --quiet");
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_diya")])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell");
    let mut url = String::new();
    let out = child.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut url).expect("the address");
    let (address, token) = url.trim().split_once("token=").expect("an address with a token");
    let port = address.split(':').nth(2).and_then(|rest| rest.split('/').next());
    let port = port.and_then(|port| port.parse().ok()).expect("a port");
    (Server(child), port, token.to_owned())
}

/// Status line of the index page.
fn index(port: u16, token: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
    let request = format!(
        "GET /?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn more_connections_than_files_can_be_open_do_not_end_the_server() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs");
    let (mut server, port, token) = serve(&corpus, 24);
    let connect = |_| TcpStream::connect(("127.0.0.1", port)).expect("the queue takes it");
    let many: Vec<TcpStream> = (0..40).map(connect).collect();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(server.0.try_wait().expect("a child").is_none(), "the server ended");
    drop(many);
    let answer = index(port, &token);
    assert!(answer.contains(" 200 ") || answer.contains(" 30"), "{answer}");
}

#[test]
fn a_pipe_with_the_name_of_a_log_is_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("x.darshan");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs/fsync_many.darshan");
    std::fs::copy(log, folder.path().join("y.darshan")).expect("a log");
    let (_server, port, token) = serve(folder.path(), 1024);
    let answer = index(port, &token);
    assert!(answer.contains(" 200 ") || answer.contains(" 30"), "{answer}");
}
