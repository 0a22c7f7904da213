//! The certificate chain that a stand-in serves.

use std::error::Error;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use time::OffsetDateTime;

use crate::authority::NewChain;
use crate::handshake;

/// A chain with less left than this is made anew: a run must not end on it.
const LEAST_LEFT_SECONDS: i64 = 24 * 60 * 60;
/// Stands before the PEM blocks, where readers of PEM pass over it.
const NOT_AFTER: &str = "not-after: ";

/// A directory with a certificate chain.
pub struct Chain {
    /// The certificate to trust, PEM.
    pub root: PathBuf,
    /// `root`'s text.
    pub root_pem: String,
    /// Leaf, intermediate and the leaf's key, PEM.
    pub server_pem: String,
}

/// Why there is no chain.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The directory cannot be read or written.
    #[error("{path}", path = .0.display())]
    Directory(PathBuf, #[source] io::Error),
    /// The certificates cannot be made.
    #[error("cannot make a certificate chain")]
    Generate(#[from] rcgen::Error),
}

impl Chain {
    /// The chain of a directory where it holds one that is good, else a new one written there.
    ///
    /// RSA keys take up to seconds: a chain that stands makes a start quick.
    pub fn of(directory: &Path) -> Result<Self, ChainError> {
        let failed = |error| ChainError::Directory(directory.into(), error);
        fs::create_dir_all(directory).map_err(failed)?;
        let root = std::path::absolute(directory.join("root.pem")).map_err(failed)?;
        let server = root.with_file_name("server.pem");
        // Two stand-ins that start together must not each write half of the pair. Closing the file unlocks it.
        let lock = File::create(root.with_file_name("lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        if let Some(chain) = Self::kept(&root, &server) {
            return Ok(chain);
        }
        let new = NewChain::generate()?;
        let server_pem = format!("{NOT_AFTER}{}\n{}", new.not_after, new.server);
        write(&server, &server_pem, 0o600).map_err(failed)?;
        write(&root, &new.root, 0o644).map_err(failed)?;
        Ok(Self { root, root_pem: new.root, server_pem })
    }

    /// `rehearse` makes one handshake with the chain: see [`handshake::rehearse`].
    pub fn rehearse(&self) -> Result<(), Box<dyn Error>> {
        handshake::rehearse(&self.root_pem, &self.server_pem)
    }

    /// `kept` returns the chain that stands there if it is readable, not about to end, and one half fits the other.
    fn kept(root: &Path, server: &Path) -> Option<Self> {
        let chain = Self {
            root: root.into(),
            root_pem: fs::read_to_string(root).ok()?,
            server_pem: fs::read_to_string(server).ok()?,
        };
        let not_after: i64 = chain.server_pem.lines().next()?.strip_prefix(NOT_AFTER)?.parse().ok()?;
        let left = not_after - OffsetDateTime::now_utc().unix_timestamp();
        (left > LEAST_LEFT_SECONDS && chain.rehearse().is_ok()).then_some(chain)
    }
}

fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(path)?;
    // `mode` counts for a new file only.
    file.set_permissions(Permissions::from_mode(mode))?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Chain, NOT_AFTER};
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;
    use std::{env, fs, process};

    struct Directory(PathBuf);

    impl Directory {
        fn new(name: &str) -> Self {
            Self(env::temp_dir().join(format!("standins-{name}-{}", process::id())))
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_chain_that_stands_is_used_again_and_its_key_is_the_owners_alone() {
        let directory = Directory::new("again");
        let first = Chain::of(&directory.0).unwrap();
        first.rehearse().unwrap();
        assert_eq!(Chain::of(&directory.0).unwrap().root_pem, first.root_pem);
        let mode = fs::metadata(directory.0.join("server.pem")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_chain_that_has_ended_or_does_not_fit_its_root_is_made_anew() {
        let directory = Directory::new("anew");
        let first = Chain::of(&directory.0).unwrap();
        let end = first.server_pem.find('\n').unwrap();
        let ended = format!("{NOT_AFTER}1000{}", &first.server_pem[end..]);
        fs::write(directory.0.join("server.pem"), ended).unwrap();
        let second = Chain::of(&directory.0).unwrap();
        assert_ne!(second.root_pem, first.root_pem);
        fs::write(&second.root, &first.root_pem).unwrap();
        let third = Chain::of(&directory.0).unwrap();
        assert_ne!(third.root_pem, first.root_pem);
        third.rehearse().unwrap();
    }
}
