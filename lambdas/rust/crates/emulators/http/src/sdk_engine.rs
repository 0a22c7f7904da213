use std::error::Error;
use std::time::Instant;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::error::{BuildError, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types as sdk;
use bench_core::sdk_failure::{code, message};
use emulators::{Answer, Call, Engine, Expression, Failure, Item, Outcome, Read, Write};

use crate::attributes::{SdkItem, item_of, sdk_item};
use crate::create_table::create_table;

/// An engine over HTTP, through the official SDK.
#[derive(Debug)]
pub struct SdkEngine {
    client: Client,
    endpoint: String,
}

impl SdkEngine {
    /// Creates a client of `endpoint`, for example `http://127.0.0.1:8000`, that does not retry.
    #[must_use]
    pub fn new(endpoint: &str) -> Self {
        let configuration = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("local", "local", None, None, "emulators"))
            .endpoint_url(endpoint)
            .retry_config(RetryConfig::disabled())
            .build();
        Self { client: Client::from_conf(configuration), endpoint: endpoint.into() }
    }
}

impl Engine for SdkEngine {
    async fn call(&self, call: Call) -> Outcome {
        self.asked(call).await
    }

    fn lane(&self) -> Self {
        Self::new(&self.endpoint)
    }
}

/// Sends a finished request, and times only the sending.
macro_rules! timed {
    ($request:expr, $answer:expr) => {{
        let request = $request;
        let start = Instant::now();
        let sent = request.send().await;
        let time = start.elapsed();
        Outcome { time, answer: sent.map($answer).map_err(failure) }
    }};
}

impl SdkEngine {
    async fn asked(&self, call: Call) -> Outcome {
        let client = &self.client;
        match call {
            Call::ListTables => {
                timed!(client.list_tables(), |output| Answer {
                    tables: output.table_names.unwrap_or_default(),
                    ..Answer::default()
                })
            }
            Call::CreateTable { table } => match create_table(client, &table) {
                Ok(request) => timed!(request, |_| Answer::default()),
                Err(error) => not_built(&error),
            },
            Call::DeleteTable { table } => {
                timed!(client.delete_table().table_name(table), |_| Answer::default())
            }
            Call::DescribeTable { table } => {
                timed!(client.describe_table().table_name(table), |output| Answer {
                    status: output
                        .table
                        .and_then(|table| table.table_status)
                        .map(|status| status.as_str().to_owned()),
                    ..Answer::default()
                })
            }
            Call::Get { table, key } => {
                timed!(client.get_item().table_name(table).set_key(Some(sdk_item(key))), |output| Answer {
                    items: output.item.into_iter().map(item_of).collect(),
                    ..Answer::default()
                })
            }
            Call::Delete { table, key } => {
                timed!(client.delete_item().table_name(table).set_key(Some(sdk_item(key))), |_| {
                    Answer::default()
                })
            }
            Call::Query(read) => self.query(read).await,
            Call::Scan(read) => self.scan(read).await,
            other => self.written(other).await,
        }
    }

    async fn written(&self, call: Call) -> Outcome {
        let client = &self.client;
        match call {
            Call::Put { table, item, condition } => {
                let (text, values) = parts(condition);
                let request = client
                    .put_item()
                    .table_name(table)
                    .set_item(Some(sdk_item(item)))
                    .set_condition_expression(text)
                    .set_expression_attribute_values(values);
                timed!(request, |_| Answer::default())
            }
            Call::Update { table, key, update, condition } => {
                let (condition, mut values) = parts(condition);
                values.get_or_insert_default().extend(sdk_item(update.values));
                let request = client
                    .update_item()
                    .table_name(table)
                    .set_key(Some(sdk_item(key)))
                    .update_expression(update.text)
                    .set_condition_expression(condition)
                    .set_expression_attribute_values(values);
                timed!(request, |_| Answer::default())
            }
            Call::BatchWrite { table, puts } => match puts.into_iter().map(put_request).collect() {
                Ok::<Vec<_>, _>(writes) => {
                    timed!(client.batch_write_item().request_items(table, writes), |output| Answer {
                        unprocessed: output
                            .unprocessed_items
                            .iter()
                            .flatten()
                            .map(|(_, left)| left.len())
                            .sum(),
                        ..Answer::default()
                    })
                }
                Err(error) => not_built(&error),
            },
            Call::BatchGet { table, keys } => {
                match sdk::KeysAndAttributes::builder()
                    .set_keys(Some(keys.into_iter().map(sdk_item).collect()))
                    .build()
                {
                    Ok(keys) => {
                        timed!(client.batch_get_item().request_items(table, keys), |output| Answer {
                            items: output
                                .responses
                                .into_iter()
                                .flatten()
                                .flat_map(|(_, items)| items)
                                .map(item_of)
                                .collect(),
                            unprocessed: output
                                .unprocessed_keys
                                .iter()
                                .flatten()
                                .map(|(_, left)| left.keys.len())
                                .sum(),
                            ..Answer::default()
                        })
                    }
                    Err(error) => not_built(&error),
                }
            }
            Call::Transact { table, writes } => {
                match writes.into_iter().map(|write| transaction_part(&table, write)).collect() {
                    Ok::<Vec<_>, _>(parts) => {
                        timed!(client.transact_write_items().set_transact_items(Some(parts)), |_| {
                            Answer::default()
                        })
                    }
                    Err(error) => not_built(&error),
                }
            }
            other => refused("NotAWrite", format!("{other:?}")),
        }
    }

    async fn query(&self, read: Read) -> Outcome {
        let (key_condition, mut values) = parts(read.key_condition);
        let (filter, more) = parts(read.filter);
        values.get_or_insert_default().extend(more.into_iter().flatten());
        let request = self
            .client
            .query()
            .table_name(read.table)
            .set_index_name(read.index)
            .set_key_condition_expression(key_condition)
            .set_filter_expression(filter)
            .set_expression_attribute_values(values)
            .set_limit(read.limit)
            .set_exclusive_start_key(read.start.map(sdk_item));
        timed!(request, |output| Answer {
            count: output.count as usize,
            scanned: output.scanned_count as usize,
            items: output.items.into_iter().flatten().map(item_of).collect(),
            next: output.last_evaluated_key.filter(|key| !key.is_empty()).map(item_of),
            ..Answer::default()
        })
    }

    async fn scan(&self, read: Read) -> Outcome {
        let (filter, values) = parts(read.filter);
        let request = self
            .client
            .scan()
            .table_name(read.table)
            .set_filter_expression(filter)
            .set_expression_attribute_values(values)
            .set_limit(read.limit)
            .set_select(read.count_only.then_some(sdk::Select::Count))
            .set_exclusive_start_key(read.start.map(sdk_item));
        timed!(request, |output| Answer {
            count: output.count as usize,
            scanned: output.scanned_count as usize,
            items: output.items.into_iter().flatten().map(item_of).collect(),
            next: output.last_evaluated_key.filter(|key| !key.is_empty()).map(item_of),
            ..Answer::default()
        })
    }
}

fn parts(expression: Option<Expression>) -> (Option<String>, Option<SdkItem>) {
    match expression {
        None => (None, None),
        Some(Expression { text, values }) if values.is_empty() => (Some(text), None),
        Some(Expression { text, values }) => (Some(text), Some(sdk_item(values))),
    }
}

fn put_request(item: Item) -> Result<sdk::WriteRequest, BuildError> {
    let put = sdk::PutRequest::builder().set_item(Some(sdk_item(item))).build()?;
    Ok(sdk::WriteRequest::builder().put_request(put).build())
}

fn transaction_part(table: &str, write: Write) -> Result<sdk::TransactWriteItem, BuildError> {
    let part = sdk::TransactWriteItem::builder();
    Ok(match write {
        Write::Put(item) => {
            part.put(sdk::Put::builder().table_name(table).set_item(Some(sdk_item(item))).build()?)
        }
        Write::Update { key, update } => part.update(
            sdk::Update::builder()
                .table_name(table)
                .set_key(Some(sdk_item(key)))
                .update_expression(update.text)
                .set_expression_attribute_values(Some(sdk_item(update.values)))
                .build()?,
        ),
        Write::Check { key, condition } => {
            let (text, values) = parts(Some(condition));
            part.condition_check(
                sdk::ConditionCheck::builder()
                    .table_name(table)
                    .set_key(Some(sdk_item(key)))
                    .set_condition_expression(text)
                    .set_expression_attribute_values(values)
                    .build()?,
            )
        }
    }
    .build())
}

fn failure<E, R>(error: SdkError<E, R>) -> Failure
where
    E: Error + ProvideErrorMetadata + 'static,
    R: std::fmt::Debug + 'static,
{
    Failure { code: code(&error).to_owned(), message: message(&error) }
}

fn not_built(error: &BuildError) -> Outcome {
    refused("ConstructionFailure", error.to_string())
}

fn refused(code: &str, message: String) -> Outcome {
    Outcome { time: std::time::Duration::ZERO, answer: Err(Failure { code: code.into(), message }) }
}
