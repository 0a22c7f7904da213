use std::io::{Error, ErrorKind};

use s3s::{S3Error, S3ErrorCode};

/// `explained` adds S3's own message, which s3s-fs leaves out.
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html>
pub fn explained(mut error: S3Error) -> S3Error {
    if error.message().is_none()
        && let Some(message) = message_of(error.code())
    {
        error.set_message(message);
    }
    error
}

/// `of_upload` names a multipart upload that is not there as S3 does: s3s-fs denies access to it.
pub fn of_upload(mut error: S3Error) -> S3Error {
    if matches!(error.code(), S3ErrorCode::AccessDenied | S3ErrorCode::InvalidRequest) {
        error.set_code(S3ErrorCode::NoSuchUpload);
    }
    explained(error)
}

/// `of_write` says that a write failed for its key, if that cannot be the path of a file beside the others.
pub fn of_write(error: S3Error) -> S3Error {
    let kind = error.source().and_then(|source| source.downcast_ref::<Error>()).map(Error::kind);
    match kind {
        Some(
            ErrorKind::InvalidFilename
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::AlreadyExists,
        ) => S3Error::with_message(
            S3ErrorCode::NotImplemented,
            "PutObject with a key that cannot be the path of a file is not implemented yet",
        ),
        _ => explained(error),
    }
}

fn message_of(code: &S3ErrorCode) -> Option<&'static str> {
    Some(match code {
        S3ErrorCode::BucketNotEmpty => "The bucket you tried to delete is not empty",
        S3ErrorCode::EntityTooSmall => "Your proposed upload is smaller than the minimum allowed size",
        S3ErrorCode::InvalidRange => "The requested range is not satisfiable",
        S3ErrorCode::KeyTooLongError => "Your key is too long",
        S3ErrorCode::NoSuchBucket => "The specified bucket does not exist",
        S3ErrorCode::NoSuchKey => "The specified key does not exist.",
        S3ErrorCode::NoSuchUpload => {
            "The specified upload does not exist. The upload ID may be invalid, or the upload may have been \
             aborted or completed."
        }
        S3ErrorCode::PreconditionFailed => "At least one of the pre-conditions you specified did not hold",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use s3s::{S3Error, S3ErrorCode, s3_error};

    use super::{explained, of_upload, of_write};

    fn told(error: &S3Error) -> (&str, &str) {
        (error.code().as_str(), error.message().unwrap_or_default())
    }

    #[test]
    fn an_error_without_a_message_has_that_of_s3() {
        assert_eq!(
            told(&explained(s3_error!(NoSuchKey))),
            ("NoSuchKey", "The specified key does not exist.")
        );
        assert_eq!(told(&explained(s3_error!(NoSuchKey, "own"))), ("NoSuchKey", "own"));
    }

    #[test]
    fn an_upload_that_is_not_there_is_named_so() {
        for code in [S3ErrorCode::AccessDenied, S3ErrorCode::InvalidRequest] {
            assert_eq!(told(&of_upload(S3Error::new(code))).0, "NoSuchUpload");
        }
        assert_eq!(told(&of_upload(s3_error!(EntityTooSmall))).0, "EntityTooSmall");
    }

    #[test]
    fn a_key_that_no_file_can_have_is_not_implemented() {
        let failed = |kind: ErrorKind| of_write(S3Error::internal_error(Error::from(kind)));
        assert_eq!(told(&failed(ErrorKind::InvalidFilename)).0, "NotImplemented");
        assert_eq!(told(&failed(ErrorKind::StorageFull)).0, "InternalError");
        assert_eq!(told(&of_write(s3_error!(PreconditionFailed))).0, "PreconditionFailed");
    }
}
