//! The line by which a stand-in says where it is reached.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

/// The line that says where a stand-in is reached.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Announcement<'a> {
    /// `service` is for example `dynamodb`.
    pub service: &'a str,
    /// `endpoint` is for example `https://localhost:40123`.
    pub endpoint: String,
    /// The root to trust; absent without TLS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_certificate: Option<&'a Path>,
}

impl Announcement<'_> {
    /// Prints the line and flushes it: whoever started the stand-in waits for it on a pipe.
    pub fn print(&self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer(&mut stdout, self)?;
        writeln!(stdout)?;
        stdout.flush()
    }
}
