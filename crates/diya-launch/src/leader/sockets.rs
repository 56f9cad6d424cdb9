//! Where sockets lead: the other end of a connection, and whether the program itself holds it.

use super::activity::Activity;
use super::proc::Proc;

/// Ports from here on are given to clients by the system.
const CLIENTS: u16 = 32768;

/// The state of a socket that waits for clients.
const LISTENS: &str = "0A";

/// Descriptors of a process that are looked at, to find who holds a socket.
const MOST_DESCRIPTORS: usize = 256;

/// Processes that one started, which are asked whether they hold the other end.
const MOST_PROCESSES: usize = 32;

/// The process that holds the other end of a connection on this host, where it is this one, or
/// one that it started: who waits for the connection waits for what that process does. Connections
/// to one server (`place`) are looked at once.
fn holder(proc: &mut Proc, pid: i32, inode: u64, place: &str) -> Option<i32> {
    let key = (pid, place.to_owned());
    if let Some(known) = proc.holders.get(&key) {
        return *known;
    }
    let tables = ["net/tcp", "net/tcp6"].iter().filter_map(|table| proc.text(pid, table));
    let ends: Vec<u64> = tables.flat_map(|table| other_ends(&table, inode)).collect();
    let mut asked = vec![pid];
    let mut at = 0;
    let mut found = None;
    while let Some(process) = asked.get(at).copied().filter(|_| !ends.is_empty()) {
        // A server that has not yet accepted holds no more than the socket it listens at.
        if ends.iter().any(|end| holds(proc, process, *end)) {
            found = Some(process);
            break;
        }
        if asked.len() < MOST_PROCESSES {
            asked.extend(proc.children(process));
        }
        at += 1;
    }
    proc.holders.insert(key, found);
    found
}

fn holds(proc: &Proc, pid: i32, inode: u64) -> bool {
    let name = format!("socket:[{inode}]");
    let is_it = |number| proc.descriptor(pid, number).as_ref() == Some(&name);
    proc.descriptors(pid).into_iter().take(MOST_DESCRIPTORS).any(is_it)
}

/// Sockets at the other end of a connection: the one that is connected, and the one that listens.
fn other_ends(table: &str, inode: u64) -> Vec<u64> {
    let rows: Vec<Vec<&str>> =
        table.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let number = |row: &Vec<&str>| row.get(9).and_then(|word| word.parse::<u64>().ok());
    let Some(own) = rows.iter().find(|row| number(row) == Some(inode)) else { return Vec::new() };
    let port = |word: &str| word.rsplit(':').next().map(str::to_owned);
    let is_end = |row: &&Vec<&str>| {
        let is_connected = row[1] == own[2] && row[2] == own[1];
        let is_listening = row[2].ends_with(":0000") && port(row[1]) == port(own[2]);
        is_connected || is_listening
    };
    rows.iter().filter(|row| row.len() > 9).filter(is_end).filter_map(number).collect()
}

/// What waiting for a socket is, and its place.
pub(super) fn of(proc: &mut Proc, pid: i32, inode: u64) -> (Activity, Option<String>) {
    let known = match proc.sockets.get(&inode) {
        Some(known) => known.clone(),
        None => {
            let found = ["net/tcp", "net/tcp6", "net/udp", "net/udp6"]
                .iter()
                .find_map(|table| in_table(&proc.text(pid, table)?, inode));
            proc.sockets.insert(inode, found.clone());
            found
        }
    };
    match known {
        None => (Activity::Socket, None),
        Some((place, true)) => (Activity::Listening, Some(place)),
        Some((place, false)) => match holder(proc, pid, inode, &place) {
            None => (Activity::Network, Some(place)),
            // Another of its own threads serves it.
            Some(process) if process == pid => (Activity::Lock, None),
            Some(_) => (Activity::Socket, None),
        },
    }
}

/// `0: 0100007F:1F90 0100007F:C350 01 ... INODE`: the address of the server, of this side or of
/// the other one, and whether the socket is one that listens.
fn in_table(table: &str, inode: u64) -> Option<(String, bool)> {
    table.lines().skip(1).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words.get(9)?.parse() == Ok(inode)).then_some(())?;
        let (local, remote) = (address(words.get(1)?)?, address(words.get(2)?)?);
        let is_local = remote.1 == 0 || (remote.1 >= CLIENTS && local.1 < CLIENTS);
        let (host, port) = if is_local { local } else { remote };
        Some((format!("{host}:{port}"), words.get(3) == Some(&LISTENS)))
    })
}

/// `0100007F:1F90`: 127.0.0.1 and 8080, each group of four bytes turned round.
fn address(word: &str) -> Option<(String, u16)> {
    let (host, port) = word.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let mut bytes = Vec::new();
    for at in (0..host.len()).step_by(8) {
        let group = u32::from_str_radix(host.get(at..at + 8)?, 16).ok()?;
        bytes.extend(group.to_le_bytes());
    }
    if let Ok(four) = <[u8; 4]>::try_from(bytes.as_slice()) {
        return Some((std::net::Ipv4Addr::from(four).to_string(), port));
    }
    let six = std::net::Ipv6Addr::from(<[u8; 16]>::try_from(bytes.as_slice()).ok()?);
    match six.to_ipv4_mapped() {
        Some(four) => Some((four.to_string(), port)),
        None => Some((format!("[{six}]"), port)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr ...   uid  timeout inode\n\
        0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1\n\
        1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 12 1\n\
        2: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 13 1\n";

    #[test]
    fn both_ends_of_a_connection_are_named_by_its_server() {
        let place = |inode| in_table(TABLE, inode).map(|found| found.0);
        assert_eq!(place(11).as_deref(), Some("127.0.0.1:8080"), "it listens");
        assert_eq!(place(12).as_deref(), Some("127.0.0.1:8080"), "client");
        assert_eq!(place(13).as_deref(), Some("127.0.0.1:8080"), "server");
        assert_eq!(place(14), None);
    }

    #[test]
    fn the_other_end_is_the_socket_that_is_connected_or_listens() {
        assert_eq!(other_ends(TABLE, 12), [11, 13]);
        assert_eq!(other_ends(TABLE, 13), [12], "the client listens nowhere");
        assert_eq!(other_ends(TABLE, 14), [0; 0]);
    }

    #[test]
    fn a_program_that_talks_to_itself_holds_both_ends() {
        use std::os::fd::AsRawFd as _;
        let server = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let (mut proc, pid) = (Proc::default(), std::process::id().cast_signed());
        let client = std::net::TcpStream::connect(server.local_addr().expect("its port"));
        let client = client.expect("a connection");
        let number = u64::try_from(client.as_raw_fd()).expect("open");
        let name = proc.descriptor(pid, number).expect("a socket");
        let inode = name.trim_start_matches("socket:[").trim_end_matches(']').parse();
        assert_eq!(holder(&mut proc, pid, inode.expect("a number"), "itself"), Some(pid));
    }

    #[test]
    fn addresses_of_version_6_are_read() {
        let loopback = address("00000000000000000000000001000000:0050");
        assert_eq!(loopback, Some(("[::1]".to_owned(), 80)));
        let mapped = address("0000000000000000FFFF00000100007F:0050");
        assert_eq!(mapped, Some(("127.0.0.1".to_owned(), 80)));
    }
}
