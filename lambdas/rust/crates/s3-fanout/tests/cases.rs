//! `lib/contract/cases/s3-fanout-*.json`: how a function parses its event, and what it does.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use bench_core::Boot;
use contract_cases::{check_event, check_outcome};
use s3_fanout::{Flow, Function, Request};
use serde_json::{Value, json};
use support::memory_bucket::{CALL, MemoryBucket, key};

fn function(bucket: &MemoryBucket, flow: Flow) -> Function<MemoryBucket> {
    Function::new("test", Boot::new().unwrap(), flow, bucket.clone())
}

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in contract_cases::read("s3-fanout-events.json") {
        check_event(&case, Request::read(&case["event"]).map(as_json));
    }
}

fn as_json(request: Request) -> Value {
    let mut fields = json!({ "operation": Request::NAME, "count": request.count });
    for (name, value) in [("concurrency", request.concurrency), ("poolSize", request.pool_size)] {
        if let Some(value) = value {
            fields[name] = value.into();
        }
    }
    fields
}

// Time is paused, so calls take no real time and exact simulated time.
#[tokio::test(start_paused = true)]
async fn every_operation_does_what_the_contract_says() {
    for case in contract_cases::read("s3-fanout-operations.json") {
        let name = &case["name"];
        let number = |field: &str| case[field].as_u64().map(|number| number as usize);
        let bucket = MemoryBucket::new(
            number("objects").unwrap_or(100),
            number("grants").unwrap_or(1),
            number("failing"),
        );
        let flow = if case["flow"] == "serial" { Flow::Serial } else { Flow::Concurrent { usual: 10 } };
        let outcome = function(&bucket, flow).invoke(&case["event"]).await;
        if let Some(result) = check_outcome(&case, outcome) {
            let count = result["itemsCount"].as_u64().unwrap() as usize;
            assert_eq!(bucket.asked(), (0..count).map(key).collect::<Vec<_>>(), "{name}");
            let (_, most) = bucket.counts();
            assert_eq!(json!(most), case["mostAtOnce"], "{name}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn calls_that_run_at_the_same_time_take_the_time_of_one_and_are_summed() {
    let bucket = MemoryBucket::new(100, 1, None);
    let begun = tokio::time::Instant::now();
    let event = json!({ "operation": "fanout", "concurrency": 25 });
    let result = function(&bucket, Flow::Concurrent { usual: 10 }).invoke(&event).await.unwrap();
    let result = serde_json::to_value(result).unwrap();
    let (listings, _) = bucket.counts();
    assert_eq!(listings, 2, "a listing goes on to its last page");
    // Two pages, then four rounds of 25.
    let elapsed = begun.elapsed();
    assert!((CALL * 6..CALL * 7).contains(&elapsed), "{elapsed:?}");
    let summed = result["sdkCallMs"].as_f64().unwrap();
    assert!((summed - 102.0 * 15.0).abs() < 1e-6, "{summed}");
}

#[tokio::test(start_paused = true)]
async fn the_invocations_of_a_process_are_counted_failed_ones_too() {
    let function = function(&MemoryBucket::new(100, 1, None), Flow::Serial);
    assert!(function.invoke(&json!({ "operation": "list" })).await.is_err());
    let second = function.invoke(&json!({ "operation": "fanout", "count": 1 })).await.unwrap();
    let second = serde_json::to_value(second).unwrap();
    assert_eq!((&second["invocation"], &second["coldStart"]), (&json!(1), &json!(false)));
}
