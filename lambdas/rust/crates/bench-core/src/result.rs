use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::processor::cpu_model;
use crate::{Build, Invocation, Stopwatch, milliseconds};

/// The operation that only reports the CPU model.
const DESCRIBE: &str = "describe";

/// The result of a measured function: `lib/contract/schemas/result.schema.json`.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    init_to_first_event_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sdk_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    connections: Option<[ConnectionTimes; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warmup_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warmup_error: Option<String>,
    boot_id: String,
    cold_start: bool,
    invocation: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<Build>,
}

/// Durations of the successive steps of one connection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ConnectionTimes {
    /// From the name to its addresses.
    #[serde(rename = "dnsMs", serialize_with = "as_milliseconds")]
    pub dns: Duration,
    /// From an address to a connection.
    #[serde(rename = "tcpMs", serialize_with = "as_milliseconds")]
    pub tcp: Duration,
    /// From the connection to one that can carry a request.
    #[serde(rename = "tlsMs", serialize_with = "as_milliseconds")]
    pub tls: Duration,
}

fn as_milliseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(milliseconds(*duration))
}

/// The measurements of an operation. A missing one is absent, never 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Measured {
    /// Duration of the whole operation.
    pub duration: Duration,
    /// Sum of the SDK calls.
    pub sdk_calls: Option<Duration>,
    /// Items read or written, at least 1.
    pub items: Option<u32>,
    /// Unprocessed items that were sent again.
    pub retried_items: Option<u32>,
    /// The computed result, for the caller to check.
    pub value: Option<u64>,
    /// Connections opened without the SDK, in order.
    pub connections: Option<[ConnectionTimes; 2]>,
}

impl FunctionResult {
    /// Creates the result of one invocation.
    #[must_use]
    pub fn new(
        variant: &'static str,
        operation: &'static str,
        invocation: Invocation<'_>,
        measured: Measured,
    ) -> Self {
        let warmup = invocation.warmup();
        Self {
            operation,
            runtime: "rust",
            runtime_version: env!("KELVIN_RUSTC_VERSION"),
            variant,
            duration_ms: milliseconds(measured.duration),
            sdk_call_ms: measured.sdk_calls.map(milliseconds),
            items_count: measured.items,
            retried_items: measured.retried_items,
            value: measured.value,
            init_to_first_event_ms: invocation.since_init.map(milliseconds),
            sdk_version: invocation.sdk().map(|sdk| format!("{} {}", sdk.name, sdk.version)),
            cpu_model: None,
            connections: measured.connections,
            warmup_ms: warmup.map(|warmup| warmup.milliseconds),
            warmup_error: warmup.and_then(|warmup| warmup.error.clone()),
            boot_id: invocation.boot_id().into(),
            cold_start: invocation.cold_start(),
            invocation: invocation.number,
            build: invocation.build(),
        }
    }

    /// Returns the result of `describe`, timed by the reading, or `None` for any other event.
    #[must_use]
    pub fn describing(event: &Value, variant: &'static str, invocation: Invocation<'_>) -> Option<Self> {
        if event.get("operation").and_then(Value::as_str) != Some(DESCRIBE) {
            return None;
        }
        let stopwatch = Stopwatch::start();
        let cpu_model = cpu_model();
        let measured = Measured { duration: stopwatch.elapsed(), ..Measured::default() };
        Some(Self { cpu_model, ..Self::new(variant, DESCRIBE, invocation, measured) })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ConnectionTimes, FunctionResult, Measured};
    use crate::{Boot, CryptoProvider, Entropy, Sdk, Stack, TrustStore, Warmup};
    use serde_json::{Value, json};

    fn results_of(boot: &Boot, measured: Measured) -> [Value; 2] {
        [(); 2].map(|()| {
            let result = FunctionResult::new("test", "get", boot.invoked(), measured);
            serde_json::to_value(result).unwrap()
        })
    }

    #[test]
    fn the_build_stands_in_the_first_result_and_the_warmup_in_every_one() {
        let stack = Stack {
            crypto_provider: CryptoProvider::Ring,
            entropy: Entropy::System,
            trust_store: TrustStore::Native,
        };
        let warmup = Warmup { milliseconds: 1.5, error: Some("DispatchFailure".into()) };
        let boot = Boot::new().unwrap().built_on(stack).unwrap().warmed(warmup);
        let [first, second] = results_of(&boot, Measured::default());
        assert_eq!(first["build"]["cryptoProvider"], "ring");
        assert!(second.get("build").is_none());
        for result in [first, second] {
            assert_eq!(
                (&result["warmupMs"], &result["warmupError"]),
                (&json!(1.5), &json!("DispatchFailure"))
            );
        }
    }

    #[test]
    fn the_first_result_alone_says_when_init_had_ended_and_which_sdk_it_was() {
        let boot = Boot::new().unwrap().with_sdk(Sdk { name: "aws-sdk-dynamodb", version: "1.2.3" }).ready();
        let [first, second] = results_of(&boot, Measured::default());
        assert!(first["initToFirstEventMs"].as_f64().is_some_and(|waited| waited < 1000.0));
        assert_eq!(first["sdkVersion"], "aws-sdk-dynamodb 1.2.3");
        assert!(second.get("initToFirstEventMs").is_none() && second.get("sdkVersion").is_none());
    }

    #[test]
    fn the_cpu_is_told_where_the_event_asks_for_it_and_in_no_other_result() {
        let boot = Boot::with_id("a-boot-of-a-test".into());
        let described = |event| FunctionResult::describing(&event, "test", boot.invoked());
        let result = serde_json::to_value(described(json!({ "operation": "describe" })).unwrap()).unwrap();
        assert_eq!((&result["operation"], &result["variant"]), (&json!("describe"), &json!("test")));
        assert_eq!((&result["bootId"], &result["invocation"]), (&json!("a-boot-of-a-test"), &json!(0)));
        // Checks only that the result has the field; the reader has tests of its own.
        assert_eq!(result.get("cpuModel").and_then(Value::as_str), crate::processor::cpu_model().as_deref());
        for event in [json!({ "operation": "get" }), json!({}), json!("describe"), Value::Null] {
            assert!(described(event).is_none());
        }
    }

    #[test]
    fn what_a_function_does_not_do_is_absent() {
        let [first, _] = results_of(&Boot::new().unwrap(), Measured::default());
        for field in [
            "connections",
            "warmupMs",
            "warmupError",
            "build",
            "sdkCallMs",
            "itemsCount",
            "value",
            "sdkVersion",
            "cpuModel",
            "initToFirstEventMs",
        ] {
            assert!(first.get(field).is_none(), "{field}");
        }
    }

    #[test]
    fn connections_are_told_in_their_order_and_in_milliseconds() {
        let times = |tls| ConnectionTimes {
            dns: Duration::from_micros(250),
            tcp: Duration::from_micros(500),
            tls: Duration::from_millis(tls),
        };
        let measured = Measured { connections: Some([times(700), times(6)]), ..Measured::default() };
        let [first, _] = results_of(&Boot::new().unwrap(), measured);
        let expected = json!([
            { "dnsMs": 0.25, "tcpMs": 0.5, "tlsMs": 700.0 },
            { "dnsMs": 0.25, "tcpMs": 0.5, "tlsMs": 6.0 },
        ]);
        assert_eq!(first["connections"], expected);
    }
}
