use crate::ErrorType;

/// A call that the service refused or never answered.
#[derive(Debug, thiserror::Error)]
#[error("{call}: {message}")]
pub struct CallError {
    /// The service's call, for example `GetItem`.
    pub call: &'static str,
    /// The service's own code, for example `ResourceNotFoundException`, or what went wrong on the way.
    pub code: String,
    /// `message` is the text of the service or of the SDK.
    pub message: String,
}

impl ErrorType for CallError {
    fn error_type(&self) -> &str {
        &self.code
    }
}
