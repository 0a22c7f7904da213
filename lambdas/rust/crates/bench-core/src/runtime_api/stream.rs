use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// Bytes per read.
const PIECE: usize = 8 * 1_024;

/// A byte stream for requests and responses.
pub(super) trait Stream: Sized {
    async fn connect(address: &str) -> io::Result<Self>;

    async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits for bytes, appends them to the buffer and returns their number: 0 if the other side has closed.
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize>;
}

const ADDRESS: &str = "the Runtime API: found no address with its port, for example 127.0.0.1:9001";

/// Blocks the thread, so its futures are ready at the first poll. It accepts only an IP address, which is what Lambda
/// gives: resolving names would add 5 KB of code.
impl Stream for TcpStream {
    async fn connect(address: &str) -> io::Result<Self> {
        let address: SocketAddr = address.parse().map_err(|_| io::Error::other(ADDRESS))?;
        let stream = Self::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        Write::write_all(self, bytes)
    }

    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let length = buffer.len();
        buffer.resize(length + PIECE, 0);
        let outcome = loop {
            match Read::read(self, &mut buffer[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        buffer.truncate(length + outcome.as_ref().unwrap_or(&0));
        outcome
    }
}

#[cfg(feature = "runtime-api-tokio")]
impl Stream for tokio::net::TcpStream {
    async fn connect(address: &str) -> io::Result<Self> {
        let stream = Self::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        tokio::io::AsyncWriteExt::write_all(self, bytes).await
    }

    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        buffer.reserve(PIECE);
        tokio::io::AsyncReadExt::read_buf(self, buffer).await
    }
}
