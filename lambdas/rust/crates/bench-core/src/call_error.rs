use crate::ErrorType;

/// A call that the service refused or never answered.
#[derive(Debug, thiserror::Error)]
#[error("{call}: {message}")]
pub struct CallError {
    /// Name of the call, for example `GetItem`.
    pub call: &'static str,
    /// The service's error code, for example `ResourceNotFoundException`, or the step that failed.
    pub code: String,
    /// Message of the service or of the SDK.
    pub message: String,
}

impl ErrorType for CallError {
    fn error_type(&self) -> &str {
        &self.code
    }
}
