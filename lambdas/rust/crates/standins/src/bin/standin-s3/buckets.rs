use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use s3s::dto::{
    CreateBucketInput, CreateBucketOutput, GetObjectAclInput, GetObjectAclOutput, Grant, Grantee,
    ListObjectsV2Input, ListObjectsV2Output, Object, Owner, Permission, PutObjectInput, PutObjectOutput,
    Type,
};
use s3s::{S3, S3Request, S3Response, S3Result, s3_error};

/// Who owns every bucket and object here, in the form of an account's canonical id.
const OWNER: &str = "6b656c76696e6b656c76696e6b656c76696e6b656c76696e6b656c76696e6b65";
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html>
const MOST_KEYS: i32 = 1_000;

/// S3's buckets in memory, with what the experiments call: the s3s crate speaks the protocol and answers
/// `NotImplemented` to the rest.
///
/// `Buckets` keeps an object's key, size and time, for nothing reads its bytes.
#[derive(Debug, Default)]
pub struct Buckets(Mutex<BTreeMap<String, Objects>>);

type Objects = BTreeMap<String, Kept>;

#[derive(Debug)]
struct Kept {
    size: i64,
    modified: SystemTime,
}

impl Buckets {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Objects>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_such_bucket() -> s3s::S3Error {
    s3_error!(NoSuchBucket, "The specified bucket does not exist")
}

#[async_trait::async_trait]
impl S3 for Buckets {
    async fn create_bucket(
        &self,
        request: S3Request<CreateBucketInput>,
    ) -> S3Result<S3Response<CreateBucketOutput>> {
        self.all().entry(request.input.bucket).or_default();
        Ok(S3Response::new(CreateBucketOutput::default()))
    }

    async fn put_object(&self, request: S3Request<PutObjectInput>) -> S3Result<S3Response<PutObjectOutput>> {
        let PutObjectInput { bucket, key, content_length, .. } = request.input;
        let kept = Kept { size: content_length.unwrap_or(0), modified: SystemTime::now() };
        self.all().get_mut(&bucket).ok_or_else(no_such_bucket)?.insert(key, kept);
        Ok(S3Response::new(PutObjectOutput::default()))
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        let ListObjectsV2Input { bucket, prefix, max_keys, continuation_token, .. } = request.input;
        let buckets = self.all();
        let objects = buckets.get(&bucket).ok_or_else(no_such_bucket)?;
        let wanted = prefix.clone().unwrap_or_default();
        // The token is the last key of the page before.
        let after = match &continuation_token {
            Some(token) => Bound::Excluded(token.as_str()),
            None => Bound::Included(wanted.as_str()),
        };
        let mut found = objects
            .range::<str, _>((after, Bound::Unbounded))
            .take_while(|(key, _)| key.starts_with(&wanted));
        let most = max_keys.unwrap_or(MOST_KEYS).clamp(0, MOST_KEYS);
        let page: Vec<Object> = found.by_ref().take(most as usize).map(listed).collect();
        let is_truncated = found.next().is_some();
        let next = page.last().and_then(|object| object.key.clone()).filter(|_| is_truncated);
        Ok(S3Response::new(ListObjectsV2Output {
            key_count: Some(page.len() as i32),
            contents: Some(page),
            is_truncated: Some(is_truncated),
            max_keys: Some(most),
            name: Some(bucket),
            next_continuation_token: next,
            continuation_token,
            prefix,
            ..ListObjectsV2Output::default()
        }))
    }

    /// `get_object_acl` answers as a bucket whose owner is enforced, which is how S3 makes buckets today: the owner's
    /// grant alone. <https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html>
    async fn get_object_acl(
        &self,
        request: S3Request<GetObjectAclInput>,
    ) -> S3Result<S3Response<GetObjectAclOutput>> {
        let GetObjectAclInput { bucket, key, .. } = request.input;
        let buckets = self.all();
        if !buckets.get(&bucket).ok_or_else(no_such_bucket)?.contains_key(&key) {
            return Err(s3_error!(NoSuchKey, "The specified key does not exist."));
        }
        Ok(S3Response::new(owner_acl()))
    }
}

/// `owner_acl` is the answer of a bucket whose owner is enforced.
pub fn owner_acl() -> GetObjectAclOutput {
    let grant = Grant {
        grantee: Some(Grantee {
            display_name: None,
            email_address: None,
            id: Some(OWNER.into()),
            type_: Type::from_static(Type::CANONICAL_USER),
            uri: None,
        }),
        permission: Some(Permission::from_static(Permission::FULL_CONTROL)),
    };
    let owner = Owner { display_name: None, id: Some(OWNER.into()) };
    GetObjectAclOutput { grants: Some(vec![grant]), owner: Some(owner), request_charged: None }
}

fn listed((key, kept): (&String, &Kept)) -> Object {
    Object {
        key: Some(key.clone()),
        size: Some(kept.size),
        last_modified: Some(kept.modified.into()),
        ..Object::default()
    }
}
