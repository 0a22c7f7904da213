/// `ITEMS` is the number of items that one call writes and reads.
pub const ITEMS: u32 = 5;

/// An item of eight attributes, less than 300 bytes of them. All but the keys follow from its place in the batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Partition key.
    pub pk: String,
    /// Sort key.
    pub sk: String,
    /// `name` is a product's, as is all that follows.
    pub name: String,
    /// One of three.
    pub category: String,
    /// 100 characters.
    pub description: String,
    /// `price` is in cents, from 1,000.
    pub price: u64,
    /// `quantity` is at least 1.
    pub quantity: u64,
    /// True of every second item, from the first.
    pub available: bool,
}

impl Item {
    /// The item at `place` of a batch, from 0.
    #[must_use]
    pub fn new(pk: &str, sk: String, place: u32) -> Self {
        let category = ["books", "games", "tools"][place as usize % 3];
        Self {
            pk: pk.into(),
            sk,
            name: format!("Product {place}"),
            category: category.into(),
            description: "d".repeat(100),
            price: 1_000 + u64::from(place),
            quantity: 1 + u64::from(place),
            available: place.is_multiple_of(2),
        }
    }

    /// `worth` is what the item adds to the result's `value`.
    #[must_use]
    pub fn worth(&self) -> u64 {
        self.price * self.quantity
    }
}
