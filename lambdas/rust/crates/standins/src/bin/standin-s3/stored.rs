use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use s3s::dto::*;
use s3s::{S3, S3Request, S3Response, S3Result};
use s3s_fs::FileSystem;

use crate::buckets::owner_acl;

/// A user's buckets, with their objects in files, for which s3s-fs answers; tags are kept in memory.
#[derive(Debug)]
pub struct StoredBuckets {
    files: FileSystem,
    tags: Mutex<HashMap<(String, String), TagSet>>,
}

impl StoredBuckets {
    /// `new` takes what answers of the objects.
    pub fn new(files: FileSystem) -> Self {
        Self { files, tags: Mutex::default() }
    }

    fn tags(&self) -> MutexGuard<'_, HashMap<(String, String), TagSet>> {
        self.tags.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails as HeadObject does where there is no such object.
    async fn require<T>(&self, request: &S3Request<T>, bucket: &str, key: &str) -> S3Result<()> {
        let wanted = HeadObjectInput { bucket: bucket.into(), key: key.into(), ..HeadObjectInput::default() };
        self.files.head_object(with_input(request, wanted)).await?;
        Ok(())
    }

    fn forget_tags(&self, bucket: &str, key: &str) {
        self.tags().remove(&(bucket.to_owned(), key.to_owned()));
    }
}

/// A request of the same origin for something else.
fn with_input<T, U>(request: &S3Request<T>, input: U) -> S3Request<U> {
    S3Request {
        input,
        method: request.method.clone(),
        uri: request.uri.clone(),
        headers: request.headers.clone(),
        extensions: request.extensions.clone(),
        credentials: request.credentials.clone(),
        region: request.region.clone(),
        service: request.service.clone(),
        trailing_headers: None,
    }
}

macro_rules! stored_buckets {
    ($($operation:ident: $input:ident => $output:ident,)*) => {
        #[async_trait::async_trait]
        impl S3 for StoredBuckets {
            $(
                async fn $operation(&self, request: S3Request<$input>) -> S3Result<S3Response<$output>> {
                    self.files.$operation(request).await
                }
            )*

            async fn put_object(&self, request: S3Request<PutObjectInput>) -> S3Result<S3Response<PutObjectOutput>> {
                let PutObjectInput { bucket, key, tagging, .. } = &request.input;
                let place = (bucket.clone(), key.clone());
                let tags = tagging.as_deref().map(tags_of_header).unwrap_or_default();
                let answer = self.files.put_object(request).await?;
                self.tags().insert(place, tags);
                Ok(answer)
            }

            async fn copy_object(
                &self,
                request: S3Request<CopyObjectInput>,
            ) -> S3Result<S3Response<CopyObjectOutput>> {
                let CopyObjectInput { bucket, key, copy_source, tagging, .. } = &request.input;
                let place = (bucket.clone(), key.clone());
                let tags = match (tagging, copy_source) {
                    (Some(header), _) => tags_of_header(header),
                    (None, CopySource::Bucket { bucket, key, .. }) => {
                        let from = (bucket.to_string(), key.to_string());
                        self.tags().get(&from).cloned().unwrap_or_default()
                    }
                    _ => TagSet::default(),
                };
                let answer = self.files.copy_object(request).await?;
                self.tags().insert(place, tags);
                Ok(answer)
            }

            async fn delete_object(
                &self,
                request: S3Request<DeleteObjectInput>,
            ) -> S3Result<S3Response<DeleteObjectOutput>> {
                self.forget_tags(&request.input.bucket, &request.input.key);
                self.files.delete_object(request).await
            }

            async fn delete_objects(
                &self,
                request: S3Request<DeleteObjectsInput>,
            ) -> S3Result<S3Response<DeleteObjectsOutput>> {
                let DeleteObjectsInput { bucket, delete, .. } = &request.input;
                for object in &delete.objects {
                    self.forget_tags(bucket, &object.key);
                }
                self.files.delete_objects(request).await
            }

            async fn get_object_acl(
                &self,
                request: S3Request<GetObjectAclInput>,
            ) -> S3Result<S3Response<GetObjectAclOutput>> {
                self.require(&request, &request.input.bucket, &request.input.key).await?;
                Ok(S3Response::new(owner_acl()))
            }

            async fn get_object_tagging(
                &self,
                request: S3Request<GetObjectTaggingInput>,
            ) -> S3Result<S3Response<GetObjectTaggingOutput>> {
                let GetObjectTaggingInput { bucket, key, .. } = &request.input;
                self.require(&request, bucket, key).await?;
                let tag_set = self.tags().get(&(bucket.clone(), key.clone())).cloned().unwrap_or_default();
                Ok(S3Response::new(GetObjectTaggingOutput { tag_set, version_id: None }))
            }

            async fn put_object_tagging(
                &self,
                request: S3Request<PutObjectTaggingInput>,
            ) -> S3Result<S3Response<PutObjectTaggingOutput>> {
                let PutObjectTaggingInput { bucket, key, tagging, .. } = &request.input;
                self.require(&request, bucket, key).await?;
                self.tags().insert((bucket.clone(), key.clone()), tagging.tag_set.clone());
                Ok(S3Response::new(PutObjectTaggingOutput::default()))
            }

            async fn delete_object_tagging(
                &self,
                request: S3Request<DeleteObjectTaggingInput>,
            ) -> S3Result<S3Response<DeleteObjectTaggingOutput>> {
                let DeleteObjectTaggingInput { bucket, key, .. } = &request.input;
                self.require(&request, bucket, key).await?;
                self.forget_tags(bucket, key);
                Ok(S3Response::new(DeleteObjectTaggingOutput::default()))
            }
        }
    };
}

stored_buckets! {
    abort_multipart_upload: AbortMultipartUploadInput => AbortMultipartUploadOutput,
    complete_multipart_upload: CompleteMultipartUploadInput => CompleteMultipartUploadOutput,
    create_bucket: CreateBucketInput => CreateBucketOutput,
    create_multipart_upload: CreateMultipartUploadInput => CreateMultipartUploadOutput,
    delete_bucket: DeleteBucketInput => DeleteBucketOutput,
    get_bucket_location: GetBucketLocationInput => GetBucketLocationOutput,
    get_object: GetObjectInput => GetObjectOutput,
    head_bucket: HeadBucketInput => HeadBucketOutput,
    head_object: HeadObjectInput => HeadObjectOutput,
    list_buckets: ListBucketsInput => ListBucketsOutput,
    list_objects: ListObjectsInput => ListObjectsOutput,
    list_objects_v2: ListObjectsV2Input => ListObjectsV2Output,
    list_parts: ListPartsInput => ListPartsOutput,
    upload_part: UploadPartInput => UploadPartOutput,
    upload_part_copy: UploadPartCopyInput => UploadPartCopyOutput,
}

/// `tags_of_header` reads the form of `x-amz-tagging`: the parameters of a URL's query.
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html>
fn tags_of_header(header: &str) -> TagSet {
    let text = |part: &str| {
        let spaced = part.replace('+', " ");
        urlencoding::decode(&spaced).map(std::borrow::Cow::into_owned).unwrap_or(spaced.clone())
    };
    header
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(key, value)| Tag { key: Some(text(key)), value: Some(text(value)) })
        .collect()
}
