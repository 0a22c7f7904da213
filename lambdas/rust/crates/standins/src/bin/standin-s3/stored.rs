use s3s::dto::*;
use s3s::{S3, S3Request, S3Response, S3Result, s3_error};
use s3s_fs::FileSystem;

use crate::buckets::owner_acl;
use crate::errors::{explained, of_upload, of_write};
use crate::facts::{Facts, tags_of_header};
use crate::reads::{Conditions, encode_prefixes, encoded, whole_if_longer};

/// The type of objects that were written without one: <https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html>
const PLAIN_TYPE: &str = "binary/octet-stream";

/// A user's buckets, with their objects in files, for which s3s-fs answers; this adds what it lacks.
#[derive(Debug)]
pub struct StoredBuckets {
    files: FileSystem,
    facts: Facts,
}

impl StoredBuckets {
    /// `new` takes what answers of the objects, without buckets.
    pub fn new(files: FileSystem) -> Self {
        Self { files, facts: Facts::default() }
    }

    /// Fails as `HeadObject` does where there is no such object.
    async fn head<T>(&self, request: &S3Request<T>, bucket: &str, key: &str) -> S3Result<HeadObjectOutput> {
        self.facts.require_bucket(bucket)?;
        let wanted = HeadObjectInput { bucket: bucket.into(), key: key.into(), ..HeadObjectInput::default() };
        let answer = self.files.head_object(with_input(request, wanted)).await.map_err(explained)?;
        Ok(answer.output)
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
    ($($explain:ident { $($operation:ident: $input:ident => $output:ident,)* })*) => {
        #[async_trait::async_trait]
        impl S3 for StoredBuckets {
            $($(
                async fn $operation(&self, request: S3Request<$input>) -> S3Result<S3Response<$output>> {
                    self.facts.require_bucket(&request.input.bucket)?;
                    self.files.$operation(request).await.map_err($explain)
                }
            )*)*

            /// A bucket of one's own may be created again in us-east-1:
            /// <https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html>
            async fn create_bucket(
                &self,
                request: S3Request<CreateBucketInput>,
            ) -> S3Result<S3Response<CreateBucketOutput>> {
                let bucket = request.input.bucket.clone();
                if self.facts.has_bucket(&bucket) {
                    return Ok(S3Response::new(CreateBucketOutput::default()));
                }
                let answer = self.files.create_bucket(request).await?;
                self.facts.add_bucket(bucket);
                Ok(answer)
            }

            async fn delete_bucket(
                &self,
                request: S3Request<DeleteBucketInput>,
            ) -> S3Result<S3Response<DeleteBucketOutput>> {
                let bucket = request.input.bucket.clone();
                self.facts.require_bucket(&bucket)?;
                let any = ListObjectsV2Input { bucket: bucket.clone(), ..ListObjectsV2Input::default() };
                let listed = self.files.list_objects_v2(with_input(&request, any)).await?;
                if listed.output.contents.is_some_and(|contents| !contents.is_empty()) {
                    return Err(explained(s3_error!(BucketNotEmpty)));
                }
                let answer = self.files.delete_bucket(request).await?;
                self.facts.remove_bucket(&bucket);
                Ok(answer)
            }

            async fn list_buckets(
                &self,
                request: S3Request<ListBucketsInput>,
            ) -> S3Result<S3Response<ListBucketsOutput>> {
                self.files.list_buckets(request).await
            }

            async fn get_object(
                &self,
                mut request: S3Request<GetObjectInput>,
            ) -> S3Result<S3Response<GetObjectOutput>> {
                let GetObjectInput { bucket, key, range, .. } = &request.input;
                self.facts.require_bucket(bucket)?;
                if let Some(Range::Suffix { length }) = *range {
                    let size = self.head(&request, bucket, key).await?.content_length;
                    request.input.range = Some(whole_if_longer(length, size));
                }
                let conditions = Conditions::of_get(&request.input);
                let mut answer = self.files.get_object(request).await.map_err(explained)?;
                let GetObjectOutput { e_tag, last_modified, accept_ranges, .. } = &mut answer.output;
                conditions.require(e_tag.as_ref(), last_modified.as_ref())?;
                *accept_ranges = Some("bytes".into());
                Ok(answer)
            }

            async fn head_object(
                &self,
                request: S3Request<HeadObjectInput>,
            ) -> S3Result<S3Response<HeadObjectOutput>> {
                self.facts.require_bucket(&request.input.bucket)?;
                let conditions = Conditions::of_head(&request.input);
                let mut answer = self.files.head_object(request).await.map_err(explained)?;
                let HeadObjectOutput { e_tag, last_modified, accept_ranges, .. } = &mut answer.output;
                conditions.require(e_tag.as_ref(), last_modified.as_ref())?;
                *accept_ranges = Some("bytes".into());
                Ok(answer)
            }

            async fn list_objects(
                &self,
                request: S3Request<ListObjectsInput>,
            ) -> S3Result<S3Response<ListObjectsOutput>> {
                let bucket = request.input.bucket.clone();
                self.facts.require_bucket(&bucket)?;
                let is_encoded = request.input.encoding_type.is_some();
                let mut answer = self.files.list_objects(request).await.map_err(explained)?;
                let ListObjectsOutput { contents, common_prefixes, prefix, .. } = &mut answer.output;
                self.facts.complete(&bucket, contents.as_deref_mut().unwrap_or_default(), is_encoded);
                if is_encoded {
                    encode_prefixes(common_prefixes.as_mut());
                    *prefix = prefix.as_deref().map(encoded);
                }
                Ok(answer)
            }

            async fn list_objects_v2(
                &self,
                request: S3Request<ListObjectsV2Input>,
            ) -> S3Result<S3Response<ListObjectsV2Output>> {
                let bucket = request.input.bucket.clone();
                self.facts.require_bucket(&bucket)?;
                let is_encoded = request.input.encoding_type.is_some();
                let mut answer = self.files.list_objects_v2(request).await.map_err(explained)?;
                let ListObjectsV2Output { contents, common_prefixes, prefix, start_after, .. } = &mut answer.output;
                self.facts.complete(&bucket, contents.as_deref_mut().unwrap_or_default(), is_encoded);
                if is_encoded {
                    encode_prefixes(common_prefixes.as_mut());
                    *prefix = prefix.as_deref().map(encoded);
                    *start_after = start_after.as_deref().map(encoded);
                }
                Ok(answer)
            }

            async fn put_object(
                &self,
                mut request: S3Request<PutObjectInput>,
            ) -> S3Result<S3Response<PutObjectOutput>> {
                let PutObjectInput { bucket, key, tagging, content_type, storage_class, .. } = &mut request.input;
                self.facts.require_bucket(bucket)?;
                *storage_class = None; // s3s-fs refuses all but two.
                content_type.get_or_insert_with(|| PLAIN_TYPE.into());
                let place = (bucket.clone(), key.clone());
                let tags = tagging.as_deref().map(tags_of_header).unwrap_or_default();
                let answer = self.files.put_object(request).await.map_err(of_write)?;
                self.facts.keep(place, tags, answer.output.e_tag.clone());
                Ok(answer)
            }

            async fn copy_object(
                &self,
                request: S3Request<CopyObjectInput>,
            ) -> S3Result<S3Response<CopyObjectOutput>> {
                let CopyObjectInput { bucket, key, copy_source, tagging, .. } = &request.input;
                self.facts.require_bucket(bucket)?;
                let place = (bucket.clone(), key.clone());
                let tags = match (tagging, copy_source) {
                    (Some(header), _) => tags_of_header(header),
                    (None, CopySource::Bucket { bucket, key, .. }) => {
                        self.facts.require_bucket(bucket)?;
                        self.facts.tags_of(bucket, key)
                    }
                    _ => TagSet::default(),
                };
                let answer = self.files.copy_object(request).await.map_err(of_write)?;
                let e_tag = answer.output.copy_object_result.as_ref().and_then(|result| result.e_tag.clone());
                self.facts.keep(place, tags, e_tag);
                Ok(answer)
            }

            async fn create_multipart_upload(
                &self,
                mut request: S3Request<CreateMultipartUploadInput>,
            ) -> S3Result<S3Response<CreateMultipartUploadOutput>> {
                self.facts.require_bucket(&request.input.bucket)?;
                request.input.content_type.get_or_insert_with(|| PLAIN_TYPE.into());
                self.files.create_multipart_upload(request).await.map_err(of_write)
            }

            async fn complete_multipart_upload(
                &self,
                request: S3Request<CompleteMultipartUploadInput>,
            ) -> S3Result<S3Response<CompleteMultipartUploadOutput>> {
                let place = (request.input.bucket.clone(), request.input.key.clone());
                self.facts.require_bucket(&place.0)?;
                let answer = self.files.complete_multipart_upload(request).await.map_err(of_upload)?;
                self.facts.keep(place, TagSet::default(), answer.output.e_tag.clone());
                Ok(answer)
            }

            async fn delete_object(
                &self,
                request: S3Request<DeleteObjectInput>,
            ) -> S3Result<S3Response<DeleteObjectOutput>> {
                let DeleteObjectInput { bucket, key, .. } = &request.input;
                self.facts.require_bucket(bucket)?;
                self.facts.forget(bucket, key);
                self.files.delete_object(request).await.map_err(explained)
            }

            async fn delete_objects(
                &self,
                request: S3Request<DeleteObjectsInput>,
            ) -> S3Result<S3Response<DeleteObjectsOutput>> {
                let DeleteObjectsInput { bucket, delete, .. } = &request.input;
                self.facts.require_bucket(bucket)?;
                for object in &delete.objects {
                    self.facts.forget(bucket, &object.key);
                }
                let is_quiet = delete.quiet == Some(true);
                let mut answer = self.files.delete_objects(request).await.map_err(explained)?;
                if is_quiet {
                    answer.output.deleted = None;
                }
                Ok(answer)
            }

            async fn get_object_acl(
                &self,
                request: S3Request<GetObjectAclInput>,
            ) -> S3Result<S3Response<GetObjectAclOutput>> {
                self.head(&request, &request.input.bucket, &request.input.key).await?;
                Ok(S3Response::new(owner_acl()))
            }

            async fn get_object_tagging(
                &self,
                request: S3Request<GetObjectTaggingInput>,
            ) -> S3Result<S3Response<GetObjectTaggingOutput>> {
                let GetObjectTaggingInput { bucket, key, .. } = &request.input;
                self.head(&request, bucket, key).await?;
                let tag_set = self.facts.tags_of(bucket, key);
                Ok(S3Response::new(GetObjectTaggingOutput { tag_set, version_id: None }))
            }

            async fn put_object_tagging(
                &self,
                request: S3Request<PutObjectTaggingInput>,
            ) -> S3Result<S3Response<PutObjectTaggingOutput>> {
                let PutObjectTaggingInput { bucket, key, tagging, .. } = &request.input;
                self.head(&request, bucket, key).await?;
                self.facts.set_tags(bucket, key, tagging.tag_set.clone());
                Ok(S3Response::new(PutObjectTaggingOutput::default()))
            }

            async fn delete_object_tagging(
                &self,
                request: S3Request<DeleteObjectTaggingInput>,
            ) -> S3Result<S3Response<DeleteObjectTaggingOutput>> {
                let DeleteObjectTaggingInput { bucket, key, .. } = &request.input;
                self.head(&request, bucket, key).await?;
                self.facts.set_tags(bucket, key, TagSet::default());
                Ok(S3Response::new(DeleteObjectTaggingOutput::default()))
            }
        }
    };
}

stored_buckets! {
    explained {
        get_bucket_location: GetBucketLocationInput => GetBucketLocationOutput,
        head_bucket: HeadBucketInput => HeadBucketOutput,
    }
    of_upload {
        abort_multipart_upload: AbortMultipartUploadInput => AbortMultipartUploadOutput,
        list_parts: ListPartsInput => ListPartsOutput,
        upload_part: UploadPartInput => UploadPartOutput,
        upload_part_copy: UploadPartCopyInput => UploadPartCopyOutput,
    }
}
