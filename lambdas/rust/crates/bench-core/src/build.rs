use std::{fs, io};

use serde::Serialize;

/// The process's own binary, on Linux: <https://man7.org/linux/man-pages/man5/proc_pid_exe.5.html>
const BINARY: &str = "/proc/self/exe";

/// `Stack` describes a client's cryptography.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stack {
    /// The library that TLS calculates with.
    pub crypto_provider: CryptoProvider,
    /// `entropy` is the source of that library's first random bytes.
    pub entropy: Entropy,
    /// `trust_store` names the roots that a server's certificate is checked against.
    pub trust_store: TrustStore,
}

/// The library that TLS calculates with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CryptoProvider {
    /// aws-lc-rs, the SDK's default.
    AwsLc,
    /// ring.
    Ring,
}

/// `Entropy` is the source of the cryptography's first random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entropy {
    /// The system's, and the jitter of the CPU's own clock, measured once a process.
    CpuJitter,
    /// The system's alone.
    System,
}

#[cfg(feature = "aws-lc")]
impl Entropy {
    /// `AWS_LC` is the source that the aws-lc of this process was built with.
    pub const AWS_LC: Self = if cfg!(aws_lc_cpu_jitter) { Self::CpuJitter } else { Self::System };
}

/// `TrustStore` names the roots that a server's certificate is checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrustStore {
    /// Those of the operating system.
    Native,
    /// Those in the binary.
    Bundled,
}

/// `Build` is what the process was built as: `build` of `lib/contract/schemas/result.schema.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Build {
    profile: &'static str,
    #[serde(flatten)]
    stack: Stack,
    binary_bytes: u64,
}

impl Build {
    /// The build of this process, whose client stands on `stack`.
    ///
    /// # Errors
    /// When the system does not tell the binary's size.
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

    /// Tests lie in `<profile>/deps`.
    fn profile_of_this_test() -> String {
        let binary = std::env::current_exe().unwrap();
        binary.ancestors().nth(2).unwrap().file_name().unwrap().to_str().unwrap().into()
    }
}
