//! The official SDK's client, set up for a fast first request. You can copy it into your own Lambda function.
//!
//! This client differs from `aws_config::load_defaults`:
//! - TLS uses rustls on ring, which has no one-time entropy collection, unlike aws-lc;
//! - the roots are Amazon's own five, bundled in the binary, if AWS's endpoints use those (see `trust`);
//! - region and credentials are read only from where Lambda puts them;
//! - no configuration file is read.
//!
//! Everything else is the SDK's: its environment variables, endpoints, signatures and errors. Make one call with the
//! client at the end of Init; `docs/fast-first-request.md` gives the effect of each step.

mod credentials;
mod https;
mod trace_header;
mod trust;

use aws_config::environment::EnvironmentVariableRegionProvider;
use aws_config::{BehaviorVersion, ConfigLoader};
use aws_runtime::env_config::file::{EnvConfigFileKind, EnvConfigFiles};

pub use trace_header::TraceHeader;
pub use trust::{BUNDLED_ROOTS, Roots};

/// Returns a configuration to load once, in Init. Its settings can still be changed.
pub fn configuration(roots: Roots) -> ConfigLoader {
    let client = https::client(roots);
    // The SDK requires at least one file.
    let no_files = EnvConfigFiles::builder().with_contents(EnvConfigFileKind::Config, "").build();
    aws_config::defaults(BehaviorVersion::latest())
        .profile_files(no_files)
        .region(EnvironmentVariableRegionProvider::new())
        .credentials_provider(credentials::of_lambda(&client))
        .http_client(client)
}
