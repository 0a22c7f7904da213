use s3s::dto::{CommonPrefix, ETag, ETagCondition, GetObjectInput, HeadObjectInput, Range, Timestamp};
use s3s::{S3Result, s3_error};

use crate::errors::explained;

/// The conditions of a read: <https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html>
#[derive(Default)]
pub struct Conditions {
    if_match: Option<ETagCondition>,
    if_none_match: Option<ETagCondition>,
    if_modified_since: Option<Timestamp>,
    if_unmodified_since: Option<Timestamp>,
}

impl Conditions {
    pub fn of_get(input: &GetObjectInput) -> Self {
        Self {
            if_match: input.if_match.clone(),
            if_none_match: input.if_none_match.clone(),
            if_modified_since: input.if_modified_since.clone(),
            if_unmodified_since: input.if_unmodified_since.clone(),
        }
    }

    pub fn of_head(input: &HeadObjectInput) -> Self {
        Self {
            if_match: input.if_match.clone(),
            if_none_match: input.if_none_match.clone(),
            if_modified_since: input.if_modified_since.clone(),
            if_unmodified_since: input.if_unmodified_since.clone(),
        }
    }

    /// Fails unless they hold. An ETag's condition goes before the same one of a time.
    pub fn require(&self, e_tag: Option<&ETag>, modified: Option<&Timestamp>) -> S3Result<()> {
        let is = |condition: &ETagCondition| match condition {
            ETagCondition::Any => true,
            ETagCondition::ETag(wanted) => e_tag.is_some_and(|e_tag| e_tag.weak_cmp(wanted)),
        };
        let is_after = |time: &Timestamp| modified.is_some_and(|modified| modified > time);
        let is_wanted = match (&self.if_match, &self.if_unmodified_since) {
            (Some(condition), _) => is(condition),
            (None, Some(time)) => !is_after(time),
            (None, None) => true,
        };
        if !is_wanted {
            return Err(explained(s3_error!(PreconditionFailed)));
        }
        let is_new = match (&self.if_none_match, &self.if_modified_since) {
            (Some(condition), _) => !is(condition),
            (None, Some(time)) => is_after(time),
            (None, None) => true,
        };
        if is_new { Ok(()) } else { Err(s3_error!(NotModified)) }
    }
}

/// Returns the last `length` bytes of an object, which are all of a shorter one: s3s-fs cannot seek before its start.
pub fn whole_if_longer(length: u64, size: Option<i64>) -> Range {
    let is_longer =
        size.and_then(|size| u64::try_from(size).ok()).is_some_and(|size| size > 0 && length > size);
    if is_longer { Range::Int { first: 0, last: None } } else { Range::Suffix { length } }
}

/// Encodes a key as `encoding-type=url` asks: <https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html>
pub fn encoded(key: &str) -> String {
    urlencoding::encode(key).replace("%2F", "/")
}

pub fn encode_prefixes(prefixes: Option<&mut Vec<CommonPrefix>>) {
    for common in prefixes.into_iter().flatten() {
        common.prefix = common.prefix.as_deref().map(encoded);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use s3s::dto::{ETag, ETagCondition, Range, Timestamp};

    use super::{Conditions, encoded, whole_if_longer};

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
    }

    fn answer(conditions: &Conditions) -> Option<String> {
        let e_tag = ETag::Strong("a".into());
        let error = conditions.require(Some(&e_tag), Some(&at(1_000))).err()?;
        Some(error.code().as_str().to_owned())
    }

    fn tag(value: &str) -> Option<ETagCondition> {
        Some(ETagCondition::ETag(ETag::Strong(value.into())))
    }

    #[test]
    fn an_object_that_has_changed_fails_its_precondition() {
        let failed = Some("PreconditionFailed".to_owned());
        assert_eq!(answer(&Conditions { if_match: tag("a"), ..Conditions::default() }), None);
        assert_eq!(answer(&Conditions { if_match: tag("b"), ..Conditions::default() }), failed);
        assert_eq!(
            answer(&Conditions { if_unmodified_since: Some(at(999)), ..Conditions::default() }),
            failed
        );
        let both =
            Conditions { if_match: tag("a"), if_unmodified_since: Some(at(999)), ..Conditions::default() };
        assert_eq!(answer(&both), None);
    }

    #[test]
    fn an_object_that_the_client_has_is_not_modified() {
        let same = Some("NotModified".to_owned());
        assert_eq!(answer(&Conditions { if_none_match: tag("a"), ..Conditions::default() }), same);
        assert_eq!(answer(&Conditions { if_none_match: tag("b"), ..Conditions::default() }), None);
        assert_eq!(answer(&Conditions { if_modified_since: Some(at(1_000)), ..Conditions::default() }), same);
        assert_eq!(answer(&Conditions { if_modified_since: Some(at(999)), ..Conditions::default() }), None);
    }

    #[test]
    fn a_suffix_longer_than_the_object_is_all_of_it() {
        assert!(matches!(whole_if_longer(100, Some(10)), Range::Int { first: 0, last: None }));
        assert!(matches!(whole_if_longer(3, Some(10)), Range::Suffix { length: 3 }));
        assert!(matches!(whole_if_longer(3, Some(0)), Range::Suffix { length: 3 }));
    }

    #[test]
    fn a_listed_key_is_encoded_but_for_its_slashes() {
        assert_eq!(encoded("a/b+c d%"), "a/b%2Bc%20d%25");
    }
}
