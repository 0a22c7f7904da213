use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};

use bench_core::{CallError, Stopwatch, Timed};
use dynamodb::{Item, Page, Table};

/// An in-memory table that records its calls and writes, and leaves items unprocessed on request.
pub struct MemoryTable {
    items: RefCell<BTreeMap<(String, String), Item>>,
    page_size: usize,
    unprocessed: RefCell<VecDeque<usize>>,
    /// The calls made, in order.
    pub calls: RefCell<Vec<&'static str>>,
    /// The keys written, in order.
    pub written: RefCell<Vec<[String; 2]>>,
    /// Sum of the times that the calls reported.
    pub time: Cell<std::time::Duration>,
}

impl MemoryTable {
    /// Creates a table with the experiment's 25 items; `unprocessed` as in the cases, pages of `page_size` items.
    pub fn seeded(unprocessed: Vec<usize>, page_size: usize) -> Self {
        let items = (0..25).map(|index| Item::new("seed".into(), format!("item-{index:02}")));
        Self {
            items: RefCell::new(items.map(|item| ((item.pk.clone(), item.sk.clone()), item)).collect()),
            page_size,
            unprocessed: RefCell::new(unprocessed.into()),
            calls: RefCell::default(),
            written: RefCell::default(),
            time: Cell::default(),
        }
    }

    fn call<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> Result<Timed<T>, CallError> {
        self.calls.borrow_mut().push(name);
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(work());
        self.time.set(self.time.get() + answer.time);
        Ok(answer)
    }

    fn keep(&self, item: Item) {
        self.written.borrow_mut().push([item.pk.clone(), item.sk.clone()]);
        self.items.borrow_mut().insert((item.pk.clone(), item.sk.clone()), item);
    }
}

impl Table for &MemoryTable {
    type Cursor = String;
    type Write = Item;

    fn write(&self, item: Item) -> Result<Item, CallError> {
        Ok(item)
    }

    async fn get(&self, pk: &str, sk: &str) -> Result<Timed<bool>, CallError> {
        self.call("get", || self.items.borrow().contains_key(&(pk.into(), sk.into())))
    }

    async fn put(&self, item: Item) -> Result<Timed<()>, CallError> {
        self.call("put", || self.keep(item))
    }

    async fn query(&self, pk: &str, from: Option<String>) -> Result<Timed<Page<String>>, CallError> {
        self.call("query", || {
            let items = self.items.borrow();
            let after = from.unwrap_or_default();
            let keys = items.keys().filter(|(partition, sk)| partition == pk && *sk > after);
            let page: Vec<_> = keys.take(self.page_size).map(|(_, sk)| sk.clone()).collect();
            // As in DynamoDB, a full page names its last key even if nothing follows.
            let next = if page.len() == self.page_size { page.last().cloned() } else { None };
            Page { items: page.len() as u32, next }
        })
    }

    async fn batch_write(&self, writes: Vec<Item>) -> Result<Timed<Vec<Item>>, CallError> {
        self.call("batch_write", || {
            let left = self.unprocessed.borrow_mut().pop_front().unwrap_or(0).min(writes.len());
            let mut kept = writes;
            let left = kept.split_off(kept.len() - left);
            kept.into_iter().for_each(|item| self.keep(item));
            left
        })
    }
}
