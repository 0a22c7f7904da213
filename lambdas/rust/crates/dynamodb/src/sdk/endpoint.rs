use std::sync::{Arc, Mutex, PoisonError};

use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use bench_core::CallError;
use bench_core::sdk_failure::call_error;

use crate::sdk::SdkTable;

impl SdkTable {
    /// Returns the address that the SDK sends its requests to, for example
    /// `https://dynamodb.eu-west-1.amazonaws.com/`.
    ///
    /// It is taken from a prepared request, so it reflects region, partition, account endpoint and the environment's
    /// endpoints. The request is neither signed nor sent.
    ///
    /// # Errors
    /// When the SDK cannot build a request: no region, no credentials.
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

/// Records a request's address and stops the request.
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
