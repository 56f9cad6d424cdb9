//! Where sockets lead: the other end of a connection.

use super::activity::Activity;
use super::proc::Proc;

/// Ports from here on are given to clients by the system.
const CLIENTS: u16 = 32768;

/// What waiting for a socket is, and its place.
pub(super) fn of(proc: &mut Proc, pid: i32, inode: u64) -> (Activity, Option<String>) {
    let place = match proc.sockets.get(&inode) {
        Some(known) => known.clone(),
        None => {
            let found = ["net/tcp", "net/tcp6", "net/udp", "net/udp6"]
                .iter()
                .find_map(|table| in_table(&proc.text(pid, table)?, inode));
            proc.sockets.insert(inode, found.clone());
            found
        }
    };
    match place {
        Some(place) => (Activity::Network, Some(place)),
        None => (Activity::Socket, None),
    }
}

/// `0: 0100007F:1F90 0100007F:C350 01 ... INODE`: the address of the server, of this side or of
/// the other one.
fn in_table(table: &str, inode: u64) -> Option<String> {
    table.lines().skip(1).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words.get(9)?.parse() == Ok(inode)).then_some(())?;
        let (local, remote) = (address(words.get(1)?)?, address(words.get(2)?)?);
        let is_local = remote.1 == 0 || (remote.1 >= CLIENTS && local.1 < CLIENTS);
        let (host, port) = if is_local { local } else { remote };
        Some(format!("{host}:{port}"))
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
        let place = |inode| in_table(TABLE, inode);
        assert_eq!(place(11).as_deref(), Some("127.0.0.1:8080"), "it listens");
        assert_eq!(place(12).as_deref(), Some("127.0.0.1:8080"), "client");
        assert_eq!(place(13).as_deref(), Some("127.0.0.1:8080"), "server");
        assert_eq!(place(14), None);
    }

    #[test]
    fn addresses_of_version_6_are_read() {
        let loopback = address("00000000000000000000000001000000:0050");
        assert_eq!(loopback, Some(("[::1]".to_owned(), 80)));
        let mapped = address("0000000000000000FFFF00000100007F:0050");
        assert_eq!(mapped, Some(("127.0.0.1".to_owned(), 80)));
    }
}
