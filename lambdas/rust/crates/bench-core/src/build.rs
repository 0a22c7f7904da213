use std::{fs, io};

use serde::Serialize;

/// The process's own binary on Linux: <https://man7.org/linux/man-pages/man5/proc_pid_exe.5.html>
const BINARY: &str = "/proc/self/exe";

/// The cryptography of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stack {
    /// The cryptography library of TLS.
    pub crypto_provider: CryptoProvider,
    /// Source of that library's first random bytes.
    pub entropy: Entropy,
    /// The roots that a server's certificate is checked against.
    pub trust_store: TrustStore,
}

/// The cryptography library of TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CryptoProvider {
    /// aws-lc-rs, the SDK's default.
    AwsLc,
    /// ring.
    Ring,
}

/// Source of the library's first random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entropy {
    /// The system, and CPU clock jitter, which is collected once per process.
    CpuJitter,
    /// The system only.
    System,
}

#[cfg(feature = "aws-lc")]
impl Entropy {
    /// The source that this process's aws-lc was built with.
    pub const AWS_LC: Self = if cfg!(aws_lc_cpu_jitter) { Self::CpuJitter } else { Self::System };
}

/// The roots that a server's certificate is checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrustStore {
    /// The operating system's.
    Native,
    /// Bundled in the binary.
    Bundled,
}

/// How the process was built: `build` of `lib/contract/schemas/result.schema.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Build {
    profile: &'static str,
    #[serde(flatten)]
    stack: Stack,
    binary_bytes: u64,
}

impl Build {
    /// Returns the build of this process, whose client uses `stack`.
    ///
    /// # Errors
    /// When the size of the binary cannot be read.
    pub fn of(stack: Stack) -> io::Result<Self> {
        Ok(Self { profile: env!("KELVIN_PROFILE"), stack, binary_bytes: fs::metadata(BINARY)?.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::{Build, CryptoProvider, Entropy, Stack, TrustStore};
    use serde_json::json;

    #[test]
    fn a_build_tells_its_profile_its_stack_and_its_size() {
        let stack = Stack {
            crypto_provider: CryptoProvider::AwsLc,
            entropy: Entropy::CpuJitter,
            trust_store: TrustStore::Native,
        };
        let build = serde_json::to_value(Build::of(stack).unwrap()).unwrap();
        let size = std::env::current_exe().unwrap().metadata().unwrap().len();
        let expected = json!({
            "profile": profile_of_this_test(), "cryptoProvider": "aws-lc", "entropy": "cpu-jitter",
            "trustStore": "native", "binaryBytes": size,
        });
        assert_eq!(build, expected);
    }

    #[test]
    fn the_other_stack_is_named_as_the_contract_names_it() {
        let stack = Stack {
            crypto_provider: CryptoProvider::Ring,
            entropy: Entropy::System,
            trust_store: TrustStore::Bundled,
        };
        let expected = json!({ "cryptoProvider": "ring", "entropy": "system", "trustStore": "bundled" });
        assert_eq!(serde_json::to_value(stack).unwrap(), expected);
    }

    /// Test binaries are in `<profile>/deps`.
    fn profile_of_this_test() -> String {
        let binary = std::env::current_exe().unwrap();
        binary.ancestors().nth(2).unwrap().file_name().unwrap().to_str().unwrap().into()
    }
}
