use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::BeforeTransmitInterceptorContextMut;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::config_bag::ConfigBag;

const HEADER: &str = "x-amzn-trace-id";

/// Adds the invocation's X-Ray header to every call, as the SDK does if the environment has it.
///
/// Add it to a service's configuration if the function uses this crate's runtime.
#[derive(Debug)]
pub struct TraceHeader {
    /// Returns the invocation's header, for example `bench_core::runtime_api::trace_id`.
    pub current: fn() -> Option<String>,
}

impl Intercept for TraceHeader {
    fn name(&self) -> &'static str {
        "TraceHeader"
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(value) = (self.current)() {
            context.request_mut().headers_mut().try_insert(HEADER, value)?;
        }
        Ok(())
    }
}
