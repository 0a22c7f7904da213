//! Checks a few documented DynamoDB behaviours, because speed does not show them.

use serde::Serialize;

use crate::call::{Answer, Attribute, Call, Engine, Expression, Failure, Item, Read, Write};
use crate::items::{expression, key, number, small, text};
use crate::step::{Step, Unanswered};
use crate::table;

const TABLE: &str = "fidelity";

/// An expected behaviour, and the engine's.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Behaviour {
    /// Short name.
    pub behaviour: &'static str,
    /// DynamoDB's behaviour.
    pub expected: String,
    /// The engine's behaviour.
    pub found: String,
    /// Whether they are the same.
    pub agrees: bool,
}

/// Checks every behaviour on a table that is deleted afterwards.
///
/// # Errors
/// When the engine did not answer.
pub async fn fidelity(engine: &impl Engine) -> Result<Vec<Behaviour>, Unanswered> {
    let asked = Asked { engine };
    let mut step = Step::default();
    table::create(&mut step, engine, TABLE).await?;
    let mut all = asked.conditions().await;
    all.extend(asked.pages().await);
    all.extend(asked.batches().await);
    all.extend(asked.numbers().await);
    all.extend(asked.keys_and_sizes().await);
    table::delete(&mut step, engine, TABLE).await?;
    Ok(all)
}

struct Asked<'a, E> {
    engine: &'a E,
}

const REFUSED: &str = "ValidationException";
/// Enough to find a wrong answer that occurs half of the time.
const TIMES: usize = 8;

impl<E: Engine> Asked<'_, E> {
    /// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html
    async fn conditions(&self) -> Vec<Behaviour> {
        let absent = || Some(expression("attribute_not_exists(pk)", []));
        let first = self.word(put_if(small("condition", 1), absent())).await;
        let again = self.word(put_if(small("condition", 1), absent())).await;
        let update = Call::Update {
            table: TABLE.into(),
            key: key("condition", 9),
            update: expression("SET note = :note", [(":note", text("new"))]),
            condition: Some(expression("attribute_exists(pk)", [])),
        };
        let missing = self.word(update).await;
        let left = self.item("condition", 9).await;
        let writes = vec![
            Write::Put(small("condition", 2)),
            Write::Check { key: key("condition", 1), condition: expression("attribute_not_exists(pk)", []) },
        ];
        let transaction = self.word(Call::Transact { table: TABLE.into(), writes }).await;
        let half = self.item("condition", 2).await;
        let exists = "nothing";
        let failed = "ConditionalCheckFailedException";
        vec![
            behaviour("a condition that holds", "accepted", first),
            behaviour("a condition that does not hold", failed, again),
            behaviour("a conditional update of an item that is not there", failed, missing),
            behaviour("what such an update leaves", exists, described(left)),
            behaviour("a transaction with a check that fails", "TransactionCanceledException", transaction),
            behaviour("what such a transaction leaves", exists, described(half)),
        ]
    }

    /// Checks pages of 1 MB, the limit before the filter, and ScannedCount, which equals Count without a filter:
    /// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html, https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Other.html
    async fn pages(&self) -> Vec<Behaviour> {
        let puts = (0..4).map(|sk| sized("pages", sk, 350 * 1024)).collect::<Vec<_>>();
        for put in puts {
            let _ = self.engine.call(put_if(put, None)).await;
        }
        let query = |limit: Option<i32>, filter: Option<&str>| {
            Call::Query(Read {
                table: TABLE.into(),
                key_condition: Some(expression("pk = :pk", [(":pk", text("pages"))])),
                filter: filter.map(|filter| expression(filter, [])),
                limit,
                ..Read::default()
            })
        };
        let page = |answer: Answer| {
            let more = if answer.next.is_some() { "more to come" } else { "the end" };
            format!("{} items of {} read, {more}", answer.items.len(), answer.scanned)
        };
        let whole = self.engine.call(query(None, None)).await.answer;
        let counted = whole.clone().map(|answer| {
            if answer.scanned == answer.items.len() {
                "as many".into()
            } else {
                format!("{} for {} items", answer.scanned, answer.items.len())
            }
        });
        let ends = whole.map(|answer| {
            let is_cut = answer.items.len() < 4 && answer.next.is_some();
            if is_cut { "more to come".into() } else { page(answer) }
        });
        let limited = self.engine.call(query(Some(2), None)).await.answer.map(page);
        let filtered = self
            .engine
            .call(query(Some(2), Some("attribute_exists(absentAttribute)")))
            .await
            .answer
            .map(page);
        vec![
            behaviour("a page of four items of 350 KB, which 1 MB does not hold", "more to come", said(ends)),
            behaviour("ScannedCount of a page without a filter", "as many", said(counted)),
            behaviour("a page with a limit of 2", "2 items of 2 read, more to come", said(limited)),
            behaviour(
                "a limit counts what is read, and not what a filter leaves",
                "0 items of 2 read, more to come",
                said(filtered),
            ),
        ]
    }

    /// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html, API_BatchGetItem.html there
    async fn batches(&self) -> Vec<Behaviour> {
        let write = |items: Vec<Item>| Call::BatchWrite { table: TABLE.into(), puts: items };
        let puts = |size: usize| (0..size).map(|sk| small("batch", sk)).collect::<Vec<_>>();
        let twice = vec![small("batch", 1), small("batch", 1)];
        let keys = (0..101).map(|sk| key("batch", sk)).collect();
        let read = self.word(Call::BatchGet { table: TABLE.into(), keys }).await;
        vec![
            behaviour("a batch of 25 writes", "accepted", self.word(write(puts(25))).await),
            behaviour("a batch of 26 writes", REFUSED, self.word(write(puts(26))).await),
            behaviour("a batch that writes one item twice", REFUSED, self.always_refused(write(twice)).await),
            behaviour("a batch of 101 keys", REFUSED, read),
        ]
    }

    /// Checks numbers of 38 digits, up to 9.99e125, without leading and trailing zeros:
    /// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
    async fn numbers(&self) -> Vec<Behaviour> {
        let digits = "1234567890123456789012345678901234567.8";
        let with = |value: &str| {
            let mut item = key("numbers", 1);
            item.insert("value".into(), Attribute::N(value.into()));
            put_if(item, None)
        };
        let kept = self.word(with(digits)).await;
        let found = self.item("numbers", 1).await.map(|item| {
            match item.as_ref().and_then(|item| item.get("value")) {
                Some(Attribute::N(number)) => number.clone(),
                _ => "nothing".into(),
            }
        });
        let zeros = self.engine.call(with("0012.500")).await.answer;
        let normal = self.item("numbers", 1).await.map(|item| {
            match item.as_ref().and_then(|item| item.get("value")) {
                Some(Attribute::N(number)) if zeros.is_ok() => number.clone(),
                _ => "nothing".into(),
            }
        });
        vec![
            behaviour("a number of 38 digits", "accepted", kept),
            behaviour("the same number, read", digits, said(found)),
            behaviour("a number of 39 digits", REFUSED, self.word(with(&format!("{digits}9"))).await),
            behaviour("a number above 10^126", REFUSED, self.word(with("1e126")).await),
            behaviour("0012.500, read", "12.5", said(normal)),
        ]
    }

    /// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
    async fn keys_and_sizes(&self) -> Vec<Behaviour> {
        let empty = |mut item: Item| {
            item.insert("pk".into(), text(""));
            item
        };
        let with_empty_text = {
            let mut item = key("empty", 1);
            item.insert("note".into(), text(""));
            item
        };
        let mistyped = {
            let mut item = key("empty", 1);
            item.insert("sk".into(), text("one"));
            item
        };
        let get = Call::Get { table: TABLE.into(), key: empty(key("any", 1)) };
        let other = Call::Get { table: "no-such-table".into(), key: key("any", 1) };
        vec![
            behaviour(
                "an item with an empty key",
                REFUSED,
                self.word(put_if(empty(small("any", 1)), None)).await,
            ),
            behaviour("a read by an empty key", REFUSED, self.word(get).await),
            behaviour(
                "an empty text that is no key",
                "accepted",
                self.word(put_if(with_empty_text, None)).await,
            ),
            behaviour(
                "a key of another type than the table's",
                REFUSED,
                self.word(put_if(mistyped, None)).await,
            ),
            behaviour(
                "an item above 400 KB",
                REFUSED,
                self.word(put_if(sized("large", 1, 401 * 1024), None)).await,
            ),
            behaviour("a table that is not there", "ResourceNotFoundException", self.word(other).await),
        ]
    }

    async fn word(&self, call: Call) -> String {
        said(self.engine.call(call).await.answer.map(|_| "accepted".into()))
    }

    /// Repeats the call: its attributes are in another order each time, and an engine may depend on the order to
    /// recognise equal items.
    async fn always_refused(&self, call: Call) -> String {
        for _ in 0..TIMES {
            let word = self.word(call.clone()).await;
            if word != REFUSED {
                return word;
            }
        }
        REFUSED.into()
    }

    async fn item(&self, pk: &str, sk: usize) -> Result<Option<Item>, Failure> {
        let call = Call::Get { table: TABLE.into(), key: key(pk, sk) };
        self.engine.call(call).await.answer.map(|answer| answer.items.into_iter().next())
    }
}

fn put_if(item: Item, condition: Option<Expression>) -> Call {
    Call::Put { table: TABLE.into(), item, condition }
}

fn sized(pk: &str, sk: usize, bytes: usize) -> Item {
    let mut item = key(pk, sk);
    item.insert("data".into(), text(&"x".repeat(bytes)));
    item.insert("index".into(), number(sk));
    item
}

fn described(item: Result<Option<Item>, Failure>) -> String {
    said(item.map(|item| if item.is_some() { "an item".into() } else { "nothing".into() }))
}

fn said(answer: Result<String, Failure>) -> String {
    answer.unwrap_or_else(|failure| failure.code)
}

fn behaviour(behaviour: &'static str, expected: &str, found: String) -> Behaviour {
    Behaviour { behaviour, agrees: found == expected, expected: expected.into(), found }
}
