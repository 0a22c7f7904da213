use std::io::{self, Write};

use s3s::Body;
use serde_json::json;

/// `tell` prints a line with the operation that was answered with `NotImplemented`, before the answer is sent, for
/// whoever started this program: a function may swallow the error.
pub fn tell(body: &Body) {
    if let Some(operation) = body.bytes().as_deref().and_then(operation_in) {
        let mut stdout = io::stdout().lock();
        // Nobody listens any more once the other end is closed.
        let _ = writeln!(stdout, "{}", json!({ "notImplemented": operation })).and_then(|()| stdout.flush());
    }
}

/// Reads the operation from the message that s3s gives such an answer.
fn operation_in(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let (_, after) = text.split_once("<Message>")?;
    let (operation, _) = after.split_once(" is not implemented yet</Message>")?;
    Some(operation.to_owned())
}

#[cfg(test)]
mod tests {
    use super::operation_in;

    #[test]
    fn an_answer_names_the_operation() {
        let body = "<Error><Code>NotImplemented</Code><Message>GetBucketAcl is not implemented yet</Message></Error>";
        assert_eq!(operation_in(body.as_bytes()).as_deref(), Some("GetBucketAcl"));
        assert_eq!(operation_in(b"<Error><Message>A header is not implemented</Message></Error>"), None);
        assert_eq!(operation_in(b""), None);
    }
}
