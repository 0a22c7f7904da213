use std::env;
use std::ffi::OsString;

use aws_smithy_http_client::tls::TrustStore;

/// Amazon Root CA 1 to 4 and Starfield Services Root CA - G2, all the roots that Amazon Trust Services requires in a
/// custom trust store: <https://www.amazontrust.com/repository/>. `roots/update.py` renews the file.
pub const BUNDLED_ROOTS: &str = include_str!("../../roots/amazon.pem");

/// The roots that a server's certificate is checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Roots {
    /// Bundled in the binary.
    Bundled,
    /// The operating system's, or those that `SSL_CERT_FILE` or `SSL_CERT_DIR` names.
    Native,
}

/// Variables for roots, as rustls-native-certs reads them, and for proxies, whose certificates may come from any
/// authority.
const NAMED: [&str; 6] =
    ["SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
/// Variable for a custom endpoint; with a service's name appended, for that service only.
const ENDPOINT: &str = "AWS_ENDPOINT_URL";
const REGION: &str = "AWS_REGION";

impl Roots {
    /// Chooses the bundled roots, unless the environment names roots, a server, or a region where AWS uses other
    /// roots.
    #[must_use]
    pub fn of_environment() -> Self {
        // A name or value that is not Unicode is none of these.
        Self::choose(env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))))
    }

    fn choose(variables: impl Iterator<Item = (String, OsString)>) -> Self {
        let mut roots = Self::Native;
        for (name, value) in variables.filter(|(_, value)| !value.is_empty()) {
            if NAMED.contains(&name.as_str()) || name.starts_with(ENDPOINT) {
                return Self::Native;
            }
            if name == REGION && value.to_str().is_some_and(is_of_the_commercial_partition) {
                roots = Self::Bundled;
            }
        }
        roots
    }

    pub(super) fn store(self) -> TrustStore {
        match self {
            Self::Bundled => TrustStore::empty().with_pem_certificate(BUNDLED_ROOTS),
            Self::Native => TrustStore::default(),
        }
    }
}

/// Accepts `eu-west-1`, but not `cn-north-1`, `us-gov-west-1`, `us-iso-east-1` or `eusc-de-east-1`: other partitions
/// may use other authorities.
fn is_of_the_commercial_partition(region: &str) -> bool {
    region.split('-').count() == 3 && !region.starts_with("cn-")
}

#[cfg(test)]
mod tests {
    use super::Roots;

    fn chosen(variables: &[(&str, &str)]) -> Roots {
        Roots::choose(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())))
    }

    #[test]
    fn regions_of_the_commercial_partition_stand_on_the_bundled_roots() {
        for region in ["us-east-1", "eu-west-1", "ap-southeast-5", "mx-central-1", "me-south-1"] {
            assert_eq!(chosen(&[("AWS_REGION", region)]), Roots::Bundled, "{region}");
        }
    }

    #[test]
    fn other_partitions_and_no_region_at_all_stand_on_the_systems_roots() {
        for region in [
            "cn-north-1",
            "us-gov-west-1",
            "us-iso-east-1",
            "us-isob-east-1",
            "eu-isoe-west-1",
            "eusc-de-east-1",
        ] {
            assert_eq!(chosen(&[("AWS_REGION", region)]), Roots::Native, "{region}");
        }
        assert_eq!(chosen(&[]), Roots::Native);
    }

    #[test]
    fn roots_or_servers_that_the_environment_names_come_first() {
        for name in
            ["SSL_CERT_FILE", "SSL_CERT_DIR", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "HTTPS_PROXY"]
        {
            assert_eq!(chosen(&[("AWS_REGION", "eu-west-1"), (name, "x")]), Roots::Native, "{name}");
            assert_eq!(
                chosen(&[("AWS_REGION", "eu-west-1"), (name, "")]),
                Roots::Bundled,
                "{name}, but empty"
            );
        }
    }
}
