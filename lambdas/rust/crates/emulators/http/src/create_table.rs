use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types as sdk;
use emulators::EMAIL_INDEX;

/// Builds the request for a table with the keys pk (S) and sk (N) and the index on email, on demand.
///
/// # Errors
/// When the SDK refuses to build it.
pub fn create_table(client: &Client, table: &str) -> Result<CreateTableFluentBuilder, BuildError> {
    let attribute = |name: &str, kind: sdk::ScalarAttributeType| {
        sdk::AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build()
    };
    let key = |name: &str, kind: sdk::KeyType| {
        sdk::KeySchemaElement::builder().attribute_name(name).key_type(kind).build()
    };
    let index = sdk::GlobalSecondaryIndex::builder()
        .index_name(EMAIL_INDEX)
        .key_schema(key("email", sdk::KeyType::Hash)?)
        .projection(sdk::Projection::builder().projection_type(sdk::ProjectionType::All).build())
        .build()?;
    Ok(client
        .create_table()
        .table_name(table)
        .billing_mode(sdk::BillingMode::PayPerRequest)
        .attribute_definitions(attribute("pk", sdk::ScalarAttributeType::S)?)
        .attribute_definitions(attribute("sk", sdk::ScalarAttributeType::N)?)
        .attribute_definitions(attribute("email", sdk::ScalarAttributeType::S)?)
        .key_schema(key("pk", sdk::KeyType::Hash)?)
        .key_schema(key("sk", sdk::KeyType::Range)?)
        .global_secondary_indexes(index))
}
