use std::env::{self, VarError};
use std::fmt;

/// An environment variable that is missing or invalid, so that Init fails.
///
/// `Debug` prints the same text as `Display`, because the process prints it when it ends.
#[derive(thiserror::Error)]
#[error("{variable}: found {found}; expected {expected}")]
pub struct StartError {
    variable: &'static str,
    found: String,
    expected: &'static str,
}

impl StartError {
    /// `found` is printed unchanged: quote the variable's value.
    pub fn new(variable: &'static str, found: impl Into<String>, expected: &'static str) -> Self {
        Self { variable, found: found.into(), expected }
    }
}

impl fmt::Debug for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Returns the value of a required variable; `expected` describes it.
///
/// # Errors
/// When it is missing, empty or not Unicode.
pub fn required_variable(name: &'static str, expected: &'static str) -> Result<String, StartError> {
    match env::var(name) {
        Ok(text) if text.is_empty() => Err(StartError::new(name, "an empty text", expected)),
        Ok(text) => Ok(text),
        Err(VarError::NotPresent) => Err(StartError::new(name, "nothing", expected)),
        Err(VarError::NotUnicode(_)) => Err(StartError::new(name, "no Unicode", expected)),
    }
}

#[cfg(test)]
mod tests {
    use super::required_variable;

    #[test]
    fn a_variable_that_is_missing_is_named_with_what_it_is_to_hold() {
        let error = required_variable("NO_SUCH_VARIABLE", "a name").unwrap_err();
        assert_eq!(format!("{error:?}"), "NO_SUCH_VARIABLE: found nothing; expected a name");
        assert!(required_variable("CARGO_MANIFEST_DIR", "a path").is_ok());
    }
}
