use std::time::Duration;

use serde::Serialize;

use crate::{Invocation, milliseconds};

/// What a measured function returns: `lib/contract/schemas/result.schema.json`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FunctionResult {
    operation: &'static str,
    runtime: &'static str,
    runtime_version: &'static str,
    variant: &'static str,
    duration_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sdk_call_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items_count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retried_items: Option<u32>,
    boot_id: String,
    cold_start: bool,
    invocation: u64,
}

/// What an operation measured of itself; what it does not have is absent, never 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Measured {
    /// The whole operation.
    pub duration: Duration,
    /// The SDK calls alone, summed.
    pub sdk_calls: Option<Duration>,
    /// Items read or written, at least 1.
    pub items: Option<u32>,
    /// Unprocessed items that were sent again.
    pub retried_items: Option<u32>,
}

impl FunctionResult {
    /// The result of one invocation.
    #[must_use]
    pub fn new(
        variant: &'static str,
        operation: &'static str,
        invocation: Invocation<'_>,
        measured: Measured,
    ) -> Self {
        Self {
            operation,
            runtime: "rust",
            runtime_version: env!("KELVIN_RUSTC_VERSION"),
            variant,
            duration_ms: milliseconds(measured.duration),
            sdk_call_ms: measured.sdk_calls.map(milliseconds),
            items_count: measured.items,
            retried_items: measured.retried_items,
            boot_id: invocation.boot_id.into(),
            cold_start: invocation.cold_start(),
            invocation: invocation.number,
        }
    }
}
