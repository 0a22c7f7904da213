use std::borrow::Cow;
use std::io::Write;

/// A request to the Runtime API.
pub(super) struct Request {
    method: &'static str,
    path: Cow<'static, str>,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Request {
    pub(super) fn get(path: &'static str) -> Self {
        Self { method: "GET", path: path.into(), headers: vec![], body: vec![] }
    }

    pub(super) fn post(body: Vec<u8>) -> Self {
        Self { method: "POST", path: "/".into(), headers: vec![], body }
    }

    pub(super) fn to(self, path: impl Into<Cow<'static, str>>) -> Self {
        Self { path: path.into(), ..self }
    }

    /// Adds a header if it has a value. Line ends become spaces, because they would begin a new header.
    pub(super) fn with(mut self, name: &'static str, value: Option<&str>) -> Self {
        self.headers.extend(value.map(|value| (name, value.replace(['\r', '\n'], " "))));
        self
    }

    /// Writes the request to a buffer, in the wire format; clears the buffer first.
    pub(super) fn write(&self, host: &str, buffer: &mut Vec<u8>) {
        buffer.clear();
        // Writing to a Vec cannot fail.
        let _ = write!(
            buffer,
            "{} {} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: kelvin/{}\r\nContent-Length: {}\r\n",
            self.method,
            self.path,
            env!("CARGO_PKG_VERSION"),
            self.body.len(),
        );
        if self.method == "POST" {
            buffer.extend_from_slice(b"Content-Type: application/json\r\n");
        }
        for (name, value) in &self.headers {
            let _ = write!(buffer, "{name}: {value}\r\n");
        }
        buffer.extend_from_slice(b"\r\n");
        buffer.extend_from_slice(&self.body);
    }
}

/// A response of the Runtime API.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// Returns a header's value; `name` must be lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}
