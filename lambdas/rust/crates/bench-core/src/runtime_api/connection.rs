use std::io;

use httparse::Status;

use super::message::{Answer, Request};
use super::stream::Stream;

/// Lambda sends about ten headers.
const MOST_HEADERS: usize = 64;
const LONGEST_HEAD: usize = 64 * 1_024;

/// The connection to the Runtime API. It is kept between requests, and reopened if the other side closes it.
pub(super) struct Connection<S> {
    address: String,
    stream: Option<S>,
    output: Vec<u8>,
    input: Vec<u8>,
}

/// How the end of a response body is found.
enum Framing {
    Length(usize),
    Chunks,
}

impl<S: Stream> Connection<S> {
    /// Connects on the first request.
    pub(super) fn to(address: String) -> Self {
        Self { address, stream: None, output: vec![], input: vec![] }
    }

    /// Sends a request and waits for the whole response, which may take days for the next event.
    pub(super) async fn exchange(&mut self, request: &Request) -> io::Result<Answer> {
        request.write(&self.address, &mut self.output);
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => S::connect(&self.address).await?,
        };
        stream.write_all(&self.output).await?;
        self.input.clear();
        let (mut answer, framing) = self.head(&mut stream).await?;
        answer.body = match framing {
            Framing::Length(length) => self.exactly(&mut stream, length).await?,
            Framing::Chunks => self.chunks(&mut stream).await?,
        };
        let closes = answer.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        self.stream = if closes { None } else { Some(stream) };
        Ok(answer)
    }

    /// Reads status and headers; the received part of the body stays in `input`.
    async fn head(&mut self, stream: &mut S) -> io::Result<(Answer, Framing)> {
        loop {
            self.fill(stream).await?;
            if let Some((answer, framing, length)) = parse(&self.input)? {
                self.input.drain(..length);
                return Ok((answer, framing));
            }
            if self.input.len() > LONGEST_HEAD {
                return Err(malformed("headers of more than 64 KB"));
            }
        }
    }

    async fn exactly(&mut self, stream: &mut S, length: usize) -> io::Result<Vec<u8>> {
        while self.input.len() < length {
            self.fill(stream).await?;
        }
        let bytes = self.input[..length].to_vec();
        self.input.drain(..length);
        Ok(bytes)
    }

    /// Reads chunks, each with its size first and CRLF at the end, up to the one of size 0, then trailers up to an
    /// empty line.
    async fn chunks(&mut self, stream: &mut S) -> io::Result<Vec<u8>> {
        let mut body = vec![];
        loop {
            let line = self.line(stream).await?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(|_| malformed("a chunk without a size"))?;
            if size == 0 {
                while !self.line(stream).await?.is_empty() {}
                return Ok(body);
            }
            body.append(&mut self.exactly(stream, size).await?);
            if !self.line(stream).await?.is_empty() {
                return Err(malformed("a chunk longer than its size"));
            }
        }
    }

    async fn line(&mut self, stream: &mut S) -> io::Result<String> {
        loop {
            if let Some(end) = self.input.windows(2).position(|pair| pair == b"\r\n") {
                let line = String::from_utf8_lossy(&self.input[..end]).into_owned();
                self.input.drain(..end + 2);
                return Ok(line);
            }
            self.fill(stream).await?;
        }
    }

    async fn fill(&mut self, stream: &mut S) -> io::Result<()> {
        match stream.read(&mut self.input).await? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the Runtime API closed the connection")),
            _ => Ok(()),
        }
    }
}

/// Returns the response without its body, the body's framing and the head's length, or `None` if the head is
/// incomplete.
fn parse(input: &[u8]) -> io::Result<Option<(Answer, Framing, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Response::new(&mut headers);
    let Status::Complete(length) = head.parse(input).map_err(|error| malformed(&error.to_string()))? else {
        return Ok(None);
    };
    let text = |header: &httparse::Header<'_>| {
        (header.name.to_owned(), String::from_utf8_lossy(header.value).into_owned())
    };
    let headers = head.headers.iter().map(text).collect();
    let answer = Answer { status: head.code.unwrap_or_default(), headers, body: vec![] };
    let framing = framing(&answer)?;
    Ok(Some((answer, framing, length)))
}

/// <https://www.rfc-editor.org/rfc/rfc9112#section-6.3>
fn framing(answer: &Answer) -> io::Result<Framing> {
    match (answer.header("transfer-encoding"), answer.header("content-length")) {
        (Some(coding), _) if coding.eq_ignore_ascii_case("chunked") => Ok(Framing::Chunks),
        (Some(_), _) => Err(malformed("a transfer coding that is not chunked")),
        (None, Some(length)) => {
            Ok(Framing::Length(length.parse().map_err(|_| malformed("no number as length"))?))
        }
        (None, None) if matches!(answer.status, 204 | 304) => Ok(Framing::Length(0)),
        (None, None) => Err(malformed("a body without a length")),
    }
}

fn malformed(found: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the Runtime API's answer: {found}"))
}
