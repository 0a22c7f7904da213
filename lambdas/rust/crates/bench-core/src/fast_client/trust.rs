use std::env;

use aws_smithy_http_client::tls::TrustStore;

/// Amazon Root CA 1 to 4 and Starfield Services Root CA - G2, all that Amazon Trust Services asks a trust store of
/// one's own to hold: <https://www.amazontrust.com/repository/>. `roots/update.py` renews the file.
pub const BUNDLED_ROOTS: &str = include_str!("../../roots/amazon.pem");

/// Which roots a server's certificate is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Roots {
    /// Those in the binary.
    Bundled,
    /// Those of the operating system, or those that `SSL_CERT_FILE` or `SSL_CERT_DIR` names in their place.
    Native,
}

/// Where roots are named; rustls-native-certs reads the same.
const NAMED_ROOTS: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];
/// An endpoint or a proxy of one's own may have a certificate of any authority.
const NAMED_SERVERS: [&str; 6] =
    ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

impl Roots {
    /// The bundled ones, unless the environment names roots or servers, or a region where AWS has other roots.
    #[must_use]
    pub fn of_environment() -> Self {
        Self::choose(|name| env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn choose(variable: impl Fn(&str) -> Option<String>) -> Self {
        let named = |names: &[&str]| names.iter().any(|name| variable(name).is_some());
        let own = variable("AWS_REGION").is_some_and(|region| is_of_the_commercial_partition(&region));
        if !own || named(&NAMED_ROOTS) || named(&NAMED_SERVERS) { Self::Native } else { Self::Bundled }
    }

    pub(super) fn store(self) -> TrustStore {
        match self {
            Self::Bundled => TrustStore::empty().with_pem_certificate(BUNDLED_ROOTS),
            Self::Native => TrustStore::default(),
        }
    }
}

/// `eu-west-1`, but not `cn-north-1`, `us-gov-west-1`, `us-iso-east-1`, `eusc-de-east-1`: the other partitions have
/// authorities of their own, or may have.
fn is_of_the_commercial_partition(region: &str) -> bool {
    region.split('-').count() == 3 && !region.starts_with("cn-")
}

#[cfg(test)]
mod tests {
    use super::Roots;

    fn chosen(variables: &[(&str, &str)]) -> Roots {
        Roots::choose(|name| {
            variables.iter().find(|(found, _)| *found == name).map(|(_, value)| (*value).to_owned())
        })
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
            ["SSL_CERT_FILE", "SSL_CERT_DIR", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "HTTPS_PROXY"]
        {
            assert_eq!(chosen(&[("AWS_REGION", "eu-west-1"), (name, "x")]), Roots::Native, "{name}");
        }
    }
}
