use std::convert::Infallible;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use s3s::Body;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::net::{TcpListener, TcpStream};

use crate::buckets::Buckets;
use crate::refusals;
use crate::stored::StoredBuckets;

/// After an accept that failed, so that running out of file descriptors does not run hot.
const PAUSE: Duration = Duration::from_millis(10);

/// The keys of AWS's documentation, which every function on this machine has: signatures are checked as S3 does it.
const ACCESS_KEY: &str = "AKIAIOSFODNN7EXAMPLE";
const SECRET_KEY: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/// `experiment_service` is an S3 without buckets, in memory, with what the experiments call.
pub fn experiment_service() -> S3Service {
    with_keys(S3ServiceBuilder::new(Buckets::default()))
}

/// `user_service` is an S3 with all calls of objects, for functions of a user's own.
pub fn user_service(files: FileSystem) -> S3Service {
    with_keys(S3ServiceBuilder::new(StoredBuckets::new(files)))
}

fn with_keys(mut service: S3ServiceBuilder) -> S3Service {
    service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    service.build()
}

/// Answers the connections of a listener from the service.
pub async fn answer(listener: TcpListener, service: S3Service) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        tokio::spawn(answer_connection(stream, service.clone()));
    }
}

async fn answer_connection(stream: TcpStream, service: S3Service) {
    let answered = service_fn(|request: Request<Incoming>| {
        let service = service.clone();
        async move {
            Ok::<_, Infallible>(match service.call(request.map(Body::from)).await {
                Ok(response) => {
                    if response.status() == StatusCode::NOT_IMPLEMENTED {
                        refusals::tell(response.body());
                    }
                    response
                }
                Err(_) => refused(),
            })
        }
    });
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answered).await;
}

/// `refused` answers what is no request of S3's at all.
fn refused() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response
}
