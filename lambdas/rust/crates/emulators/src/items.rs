use std::collections::HashMap;

use crate::call::{Attribute, Expression, Item};

/// The index on `email`; it contains every attribute.
pub const EMAIL_INDEX: &str = "by-email";
/// Number of medium items that the table is filled with.
pub const SEEDED: usize = 10_000;
/// Number of seeded items per partition.
pub const PER_PARTITION: usize = 50;
/// Number of seeded items per email.
pub const PER_EMAIL: usize = 10;

const STATUSES: [&str; 4] = ["active", "paused", "closed", "new"];
const LARGE_BYTES: usize = 50 * 1024;

/// Returns the key of the seeded item at `index`.
#[must_use]
pub fn seeded_key(index: usize) -> Item {
    key(&partition(index / PER_PARTITION), index % PER_PARTITION)
}

/// Returns the partition key of a partition, counted from 0.
#[must_use]
pub fn partition(number: usize) -> String {
    format!("customer-{number:03}")
}

/// Returns the email of `PER_EMAIL` seeded items.
#[must_use]
pub fn email(number: usize) -> String {
    format!("user-{number:04}@example.com")
}

/// Returns the seeded item at `index`: about 1 KB, ten attributes, nested.
#[must_use]
pub fn seeded(index: usize) -> Item {
    let mut item = medium(&partition(index / PER_PARTITION), index % PER_PARTITION, index);
    item.insert("email".into(), text(&email(index % (SEEDED / PER_EMAIL))));
    item
}

/// Returns PutItem's item at `index`: of ten items, six are small, three medium and one large.
#[must_use]
pub fn mixed(index: usize) -> Item {
    match index % 10 {
        _ if is_small(index) => small("put", index),
        9 => large("put", index),
        _ => medium("put", index, index),
    }
}

/// Returns whether PutItem writes a small item at `index`.
#[must_use]
pub fn is_small(index: usize) -> bool {
    index % 10 < 6
}

/// Returns an item of three attributes and about 200 bytes.
#[must_use]
pub fn small(pk: &str, sk: usize) -> Item {
    with(key(pk, sk), [("data", text(&"s".repeat(180)))])
}

/// Returns an item of ten attributes and about 1 KB, nested.
#[must_use]
pub fn medium(pk: &str, sk: usize, index: usize) -> Item {
    let street = format!("{} Long Street", index % 97);
    let address = [("street", text(&street)), ("city", text("Springfield")), ("zip", text("12345"))];
    let tags = (0..4).map(|tag| text(&format!("tag-{}", (index + tag) % 13))).collect();
    with(
        key(pk, sk),
        [
            ("email", text(&format!("{pk}-{sk}@example.org"))),
            ("name", text(&format!("Customer {index}"))),
            ("status", text(STATUSES[index % STATUSES.len()])),
            ("version", number(1)),
            ("isMember", Attribute::Bool(index.is_multiple_of(2))),
            ("tags", Attribute::L(tags)),
            ("address", Attribute::M(with(HashMap::new(), address))),
            ("description", text(&format!("{index:05}{}", "d".repeat(700)))),
        ],
    )
}

/// Returns a medium item with an additional binary of 50 KB.
#[must_use]
pub fn large(pk: &str, sk: usize) -> Item {
    let bytes: Vec<u8> = (0..LARGE_BYTES).map(|byte| (byte * 31 + sk) as u8).collect();
    with(medium(pk, sk, sk), [("payload", Attribute::B(bytes))])
}

/// Returns a key of the workload's table.
#[must_use]
pub fn key(pk: &str, sk: usize) -> Item {
    with(HashMap::new(), [("pk", text(pk)), ("sk", number(sk))])
}

/// Returns a string attribute.
#[must_use]
pub fn text(value: &str) -> Attribute {
    Attribute::S(value.into())
}

/// Returns a number attribute.
#[must_use]
pub fn number(value: usize) -> Attribute {
    Attribute::N(value.to_string())
}

/// Returns an expression with its values.
#[must_use]
pub fn expression<const N: usize>(text: &str, values: [(&str, Attribute); N]) -> Expression {
    Expression { text: text.into(), values: with(HashMap::new(), values) }
}

fn with<const N: usize>(mut item: Item, attributes: [(&str, Attribute); N]) -> Item {
    item.extend(attributes.map(|(name, value)| (name.to_owned(), value)));
    item
}
