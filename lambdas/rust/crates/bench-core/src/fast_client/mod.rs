//! The official SDK's client, made ready for a first request that is quick: to be copied into a Lambda of one's own.
//!
//! This client differs from `aws_config::load_defaults`:
//! - TLS is rustls on ring, which has no one-time entropy collection as aws-lc has;
//! - the roots are Amazon's own five, in the binary, where those are what AWS's endpoints stand on (see `trust`);
//! - region and credentials are looked for where Lambda puts them, and nowhere else;
//! - no configuration file is looked for.
//!
//! The rest is the SDK's: every variable of the environment that it reads, its endpoints, its signatures, its errors.
//! Make one call at the end of Init with the client; `docs/fast-first-request.md` says what each step gives.

mod credentials;
mod https;
mod trace_header;
mod trust;

use aws_config::environment::EnvironmentVariableRegionProvider;
use aws_config::{BehaviorVersion, ConfigLoader};
use aws_runtime::env_config::file::{EnvConfigFileKind, EnvConfigFiles};

pub use trace_header::TraceHeader;
pub use trust::{BUNDLED_ROOTS, Roots};

/// A configuration to load, once, in Init; its settings can still be changed.
pub fn configuration(roots: Roots) -> ConfigLoader {
    let client = https::client(roots);
    // The SDK asks for one file at least.
    let no_files = EnvConfigFiles::builder().with_contents(EnvConfigFileKind::Config, "").build();
    aws_config::defaults(BehaviorVersion::latest())
        .profile_files(no_files)
        .region(EnvironmentVariableRegionProvider::new())
        .credentials_provider(credentials::of_lambda(&client))
        .http_client(client)
}
