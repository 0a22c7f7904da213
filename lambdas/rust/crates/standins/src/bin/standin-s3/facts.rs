use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use s3s::dto::*;
use s3s::{S3Result, s3_error};

use crate::errors::explained;
use crate::reads::encoded;

/// Facts about buckets and objects that their files do not have, kept in memory.
#[derive(Debug, Default)]
pub struct Facts {
    buckets: Mutex<HashSet<String>>,
    objects: Mutex<HashMap<(String, String), Kept>>,
}

/// Facts about an object.
#[derive(Debug, Default)]
struct Kept {
    tags: TagSet,
    e_tag: Option<ETag>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn place(bucket: &str, key: &str) -> (String, String) {
    (bucket.to_owned(), key.to_owned())
}

impl Facts {
    pub fn has_bucket(&self, bucket: &str) -> bool {
        locked(&self.buckets).contains(bucket)
    }

    pub fn add_bucket(&self, bucket: String) {
        locked(&self.buckets).insert(bucket);
    }

    pub fn remove_bucket(&self, bucket: &str) {
        locked(&self.buckets).remove(bucket);
    }

    /// Without this, s3s-fs would make the folder of a bucket that does not exist.
    pub fn require_bucket(&self, bucket: &str) -> S3Result<()> {
        if self.has_bucket(bucket) { Ok(()) } else { Err(explained(s3_error!(NoSuchBucket))) }
    }

    pub fn keep(&self, place: (String, String), tags: TagSet, e_tag: Option<ETag>) {
        locked(&self.objects).insert(place, Kept { tags, e_tag });
    }

    pub fn forget(&self, bucket: &str, key: &str) {
        locked(&self.objects).remove(&place(bucket, key));
    }

    pub fn tags_of(&self, bucket: &str, key: &str) -> TagSet {
        locked(&self.objects).get(&place(bucket, key)).map(|kept| kept.tags.clone()).unwrap_or_default()
    }

    pub fn set_tags(&self, bucket: &str, key: &str, tags: TagSet) {
        locked(&self.objects).entry(place(bucket, key)).or_default().tags = tags;
    }

    /// Adds what S3 lists of each object, and encodes keys where the client asked for that.
    pub fn complete(&self, bucket: &str, contents: &mut [Object], is_encoded: bool) {
        let objects = locked(&self.objects);
        for object in contents {
            let key = object.key.clone().unwrap_or_default();
            object.e_tag = objects.get(&place(bucket, &key)).and_then(|kept| kept.e_tag.clone());
            object.storage_class = Some(ObjectStorageClass::from_static(ObjectStorageClass::STANDARD));
            if is_encoded {
                object.key = Some(encoded(&key));
            }
        }
    }
}

/// `tags_of_header` reads the form of `x-amz-tagging`: the parameters of a URL's query.
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html>
pub fn tags_of_header(header: &str) -> TagSet {
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
