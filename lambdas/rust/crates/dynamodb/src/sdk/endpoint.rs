use std::sync::{Arc, Mutex, PoisonError};

use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use bench_core::CallError;
use bench_core::sdk_failure::call_error;

use crate::sdk::SdkTable;

impl SdkTable {
    /// The address that the SDK sends its requests to, for example `https://dynamodb.eu-west-1.amazonaws.com/`.
    ///
    /// It is read from a request that the SDK has made ready: region, partition, an account's own endpoint and the
    /// endpoints of the environment have all had their say. The request is not signed and not sent.
    ///
    /// # Errors
    /// When the SDK cannot make a request: no region, no credentials.
    pub async fn endpoint(&self) -> Result<String, CallError> {
        let seen = Seen::default();
        let request = self.list_one_table().customize().interceptor(seen.clone());
        let outcome = request.send().await;
        match (seen.take(), outcome) {
            (Some(uri), _) => Ok(uri),
            (None, Err(error)) => Err(call_error("ListTables", error)),
            (None, Ok(_)) => Err(CallError {
                call: "ListTables",
                code: "NoEndpoint".into(),
                message: "the SDK sent a request past its interceptor".into(),
            }),
        }
    }
}

/// Notes a request's address and stops it there.
#[derive(Debug, Clone, Default)]
struct Seen(Arc<Mutex<Option<String>>>);

impl Seen {
    fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Intercept for Seen {
    fn name(&self) -> &'static str {
        "Seen"
    }

    fn read_before_signing(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(context.request().uri().into());
        Err("the address was all that was wanted".into())
    }
}
