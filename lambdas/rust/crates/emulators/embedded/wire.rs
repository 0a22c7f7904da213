//! DynamoDB's wire format, which dynoxide's requests and responses use.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use emulators::{Answer, Attribute, Call, EMAIL_INDEX, Expression, Item, Read, Write};
use serde_json::{Map, Value, json};

/// Returns the body of a request.
#[must_use]
pub fn body(call: &Call) -> Value {
    match call {
        Call::ListTables => json!({}),
        Call::CreateTable { table } => create_table(table),
        Call::DeleteTable { table } | Call::DescribeTable { table } => json!({ "TableName": table }),
        Call::Get { table, key } | Call::Delete { table, key } => {
            json!({ "TableName": table, "Key": item(key) })
        }
        Call::Put { table, item: whole, condition } => {
            let mut body = json!({ "TableName": table, "Item": item(whole) });
            add(&mut body, "ConditionExpression", condition.as_ref());
            body
        }
        Call::Update { table, key, update, condition } => {
            let mut body = json!({ "TableName": table, "Key": item(key) });
            add(&mut body, "UpdateExpression", Some(update));
            add(&mut body, "ConditionExpression", condition.as_ref());
            body
        }
        Call::BatchWrite { table, puts } => {
            let writes: Vec<_> =
                puts.iter().map(|put| json!({ "PutRequest": { "Item": item(put) } })).collect();
            json!({ "RequestItems": { table: writes } })
        }
        Call::BatchGet { table, keys } => {
            let keys: Vec<_> = keys.iter().map(item).collect();
            json!({ "RequestItems": { table: { "Keys": keys } } })
        }
        Call::Transact { table, writes } => {
            let parts: Vec<_> = writes.iter().map(|write| transaction_part(table, write)).collect();
            json!({ "TransactItems": parts })
        }
        Call::Query(read) | Call::Scan(read) => read_body(read),
    }
}

fn read_body(read: &Read) -> Value {
    let mut body = json!({ "TableName": read.table });
    add(&mut body, "KeyConditionExpression", read.key_condition.as_ref());
    add(&mut body, "FilterExpression", read.filter.as_ref());
    let optional = [
        ("IndexName", read.index.as_ref().map(|name| json!(name))),
        ("Limit", read.limit.map(|limit| json!(limit))),
        ("ExclusiveStartKey", read.start.as_ref().map(item)),
        ("Select", read.count_only.then(|| json!("COUNT"))),
    ];
    for (name, value) in optional.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        body[name] = value;
    }
    body
}

fn transaction_part(table: &str, write: &Write) -> Value {
    match write {
        Write::Put(whole) => json!({ "Put": { "TableName": table, "Item": item(whole) } }),
        Write::Update { key, update } => {
            let mut body = json!({ "TableName": table, "Key": item(key) });
            add(&mut body, "UpdateExpression", Some(update));
            json!({ "Update": body })
        }
        Write::Check { key, condition } => {
            let mut body = json!({ "TableName": table, "Key": item(key) });
            add(&mut body, "ConditionExpression", Some(condition));
            json!({ "ConditionCheck": body })
        }
    }
}

fn add(body: &mut Value, name: &str, expression: Option<&Expression>) {
    let Some(Expression { text, values }) = expression else { return };
    body[name] = json!(text);
    for (name, value) in values {
        body["ExpressionAttributeValues"][name] = attribute(value);
    }
}

fn item(item: &Item) -> Value {
    Value::Object(item.iter().map(|(name, value)| (name.clone(), attribute(value))).collect())
}

fn attribute(value: &Attribute) -> Value {
    match value {
        Attribute::S(text) => json!({ "S": text }),
        Attribute::N(number) => json!({ "N": number }),
        Attribute::B(bytes) => json!({ "B": BASE64_STANDARD.encode(bytes) }),
        Attribute::Bool(is) => json!({ "BOOL": is }),
        Attribute::L(values) => json!({ "L": values.iter().map(attribute).collect::<Vec<_>>() }),
        Attribute::M(map) => json!({ "M": item(map) }),
        Attribute::Other => Value::Null,
    }
}

/// Parses a response's body.
#[must_use]
pub fn answer(body: &Value) -> Answer {
    let list = |value: &Value| value.as_array().into_iter().flatten().map(item_of).collect::<Vec<_>>();
    let mut items = list(&body["Items"]);
    items.extend(body["Item"].as_object().map(|_| item_of(&body["Item"])));
    items.extend(body["Responses"].as_object().into_iter().flatten().flat_map(|(_, found)| list(found)));
    let size = |name: &str| body[name].as_u64().unwrap_or(0) as usize;
    let left = |name: &str, within: Option<&str>| -> usize {
        let entries = body[name].as_object().into_iter().flatten();
        entries
            .filter_map(|(_, left)| within.map_or(left, |inner| &left[inner]).as_array())
            .map(Vec::len)
            .sum()
    };
    Answer {
        items,
        count: size("Count"),
        scanned: size("ScannedCount"),
        next: body["LastEvaluatedKey"].as_object().map(|_| item_of(&body["LastEvaluatedKey"])),
        unprocessed: left("UnprocessedItems", None) + left("UnprocessedKeys", Some("Keys")),
        status: body["Table"]["TableStatus"].as_str().map(str::to_owned),
        tables: body["TableNames"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
    }
}

fn item_of(value: &Value) -> Item {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), attribute_of(value))).collect()
}

fn attribute_of(value: &Value) -> Attribute {
    let empty = Map::new();
    let typed = value.as_object().unwrap_or(&empty).iter().next();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match typed.map(|(kind, value)| (kind.as_str(), value)) {
        Some(("S", value)) => Attribute::S(text(value)),
        Some(("N", value)) => Attribute::N(text(value)),
        Some(("B", value)) => Attribute::B(BASE64_STANDARD.decode(text(value)).unwrap_or_default()),
        Some(("BOOL", value)) => Attribute::Bool(value.as_bool().unwrap_or_default()),
        Some(("L", value)) => {
            Attribute::L(value.as_array().into_iter().flatten().map(attribute_of).collect())
        }
        Some(("M", value)) => Attribute::M(item_of(value)),
        _ => Attribute::Other,
    }
}

/// Describes a table with the keys pk (S) and sk (N) and the index on email, on demand.
fn create_table(table: &str) -> Value {
    json!({
        "TableName": table,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            { "AttributeName": "pk", "AttributeType": "S" },
            { "AttributeName": "sk", "AttributeType": "N" },
            { "AttributeName": "email", "AttributeType": "S" },
        ],
        "KeySchema": [
            { "AttributeName": "pk", "KeyType": "HASH" },
            { "AttributeName": "sk", "KeyType": "RANGE" },
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": EMAIL_INDEX,
            "KeySchema": [{ "AttributeName": "email", "KeyType": "HASH" }],
            "Projection": { "ProjectionType": "ALL" },
        }],
    })
}
