use bench_core::ConnectionTimes;

use crate::ConnectionError;

/// Steps that a variant takes in the handler before its SDK call.
pub trait Steps {
    /// Returns the times of the connections opened, in order, or `None` if the variant opens none.
    ///
    /// # Errors
    /// The step that failed.
    fn take(&self) -> impl Future<Output = Result<Option<[ConnectionTimes; 2]>, ConnectionError>>;
}

/// For variants that leave all steps to the SDK.
#[derive(Debug, Clone, Copy)]
pub struct NoSteps;

impl Steps for NoSteps {
    async fn take(&self) -> Result<Option<[ConnectionTimes; 2]>, ConnectionError> {
        Ok(None)
    }
}

/// Opens one connection to the endpoint and closes it.
pub trait Connect {
    /// Times DNS, TCP and TLS in turn.
    ///
    /// # Errors
    /// The step that failed.
    fn connect(&self) -> impl Future<Output = Result<ConnectionTimes, ConnectionError>>;
}

/// Connects twice: the second time shows the cost of a handshake without the process's one-time work.
impl<C: Connect> Steps for C {
    async fn take(&self) -> Result<Option<[ConnectionTimes; 2]>, ConnectionError> {
        Ok(Some([self.connect().await?, self.connect().await?]))
    }
}
