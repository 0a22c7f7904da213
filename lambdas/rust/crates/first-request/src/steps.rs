use bench_core::ConnectionTimes;

use crate::ConnectionError;

/// `Steps` are what a variant does by hand in the handler, before its SDK call.
pub trait Steps {
    /// The connections made, in their order; nothing where the variant makes none.
    ///
    /// # Errors
    /// The step that failed.
    fn take(&self) -> impl Future<Output = Result<Option<[ConnectionTimes; 2]>, ConnectionError>>;
}

/// The variants that leave everything to the SDK.
#[derive(Debug, Clone, Copy)]
pub struct NoSteps;

impl Steps for NoSteps {
    async fn take(&self) -> Result<Option<[ConnectionTimes; 2]>, ConnectionError> {
        Ok(None)
    }
}

/// One connection to the endpoint, made and given up again.
pub trait Connect {
    /// DNS, TCP and TLS in turn, each timed.
    ///
    /// # Errors
    /// The step that failed.
    fn connect(&self) -> impl Future<Output = Result<ConnectionTimes, ConnectionError>>;
}

/// Twice, so that the second tells what a handshake costs once the process has done what it does but once.
impl<C: Connect> Steps for C {
    async fn take(&self) -> Result<Option<[ConnectionTimes; 2]>, ConnectionError> {
        Ok(Some([self.connect().await?, self.connect().await?]))
    }
}
