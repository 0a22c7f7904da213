use std::error::Error;

#[cfg(feature = "lambda-runtime")]
use lambda_runtime::Diagnostic;

use crate::InvalidInput;

/// An error with a name that Lambda reports as `errorType`.
pub trait ErrorType: Error {
    /// For example `InvalidInput`. Callers depend on it, so it is part of the contract.
    fn error_type(&self) -> &str;
}

impl ErrorType for InvalidInput {
    fn error_type(&self) -> &str {
        "InvalidInput"
    }
}

#[cfg(feature = "lambda-runtime")]
/// Wraps an error for Lambda: `errorType` is its name, `errorMessage` its text.
///
/// Without it, the runtime would report the Rust path of the error's type, which may change in a refactoring.
#[derive(Debug)]
pub struct Reported<E>(pub E);

#[cfg(feature = "lambda-runtime")]
impl<E: ErrorType> From<Reported<E>> for Diagnostic {
    fn from(Reported(error): Reported<E>) -> Self {
        Self { error_type: error.error_type().into(), error_message: error.to_string() }
    }
}

#[cfg(all(test, feature = "lambda-runtime"))]
mod tests {
    use super::Reported;
    use crate::InvalidInput;
    #[cfg(feature = "lambda-runtime")]
    use lambda_runtime::Diagnostic;

    #[test]
    fn lambda_is_told_the_errors_name_and_its_message() {
        let diagnostic = Diagnostic::from(Reported(InvalidInput::new("operation", None, "get")));
        assert_eq!(diagnostic.error_type, "InvalidInput");
        assert_eq!(diagnostic.error_message, "operation: found nothing; allowed: get");
    }
}
