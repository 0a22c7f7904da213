//! Listeners on this machine alone.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::{TcpListener, TcpSocket};

const ATTEMPTS: u32 = 20;
const BACKLOG: u32 = 1_024;

/// Listeners on 127.0.0.1 and, where the machine has it, on ::1, both on one port: `localhost` may mean either.
///
/// Port 0 takes one that is free on both.
pub fn listen(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    for _ in 0..ATTEMPTS {
        let first = listen_on((Ipv4Addr::LOCALHOST, port).into())?;
        let taken = first.local_addr()?.port();
        match listen_on((Ipv6Addr::LOCALHOST, taken).into()) {
            Ok(second) => return Ok((taken, vec![first, second])),
            Err(error) if error.kind() == ErrorKind::AddrInUse && port == 0 => {}
            Err(error) if error.kind() == ErrorKind::AddrInUse => return Err(error),
            // No IPv6 on this machine.
            Err(_) => return Ok((taken, vec![first])),
        }
    }
    Err(io::Error::new(ErrorKind::AddrInUse, "found no port that is free on 127.0.0.1 and ::1"))
}

/// A listener whose connections send at once: Linux hands TCP_NODELAY on to what it accepts.
pub fn listen_on(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_nodelay(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

#[cfg(test)]
mod tests {
    use super::listen;

    #[tokio::test]
    async fn every_listener_is_on_loopback_and_on_the_same_port() {
        let (port, listeners) = listen(0).unwrap();
        for listener in listeners {
            let address = listener.local_addr().unwrap();
            assert!(address.ip().is_loopback());
            assert_eq!(address.port(), port);
        }
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_an_error() {
        let (port, _listeners) = listen(0).unwrap();
        assert!(listen(port).is_err());
    }
}
