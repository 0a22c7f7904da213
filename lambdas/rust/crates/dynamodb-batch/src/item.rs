/// Number of items that one call writes and reads.
pub const ITEMS: u32 = 5;

/// An item of eight attributes and less than 300 bytes. All attributes but the keys follow from its place in the
/// batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Partition key.
    pub pk: String,
    /// Sort key.
    pub sk: String,
    /// Name of a product. The other fields describe the product too.
    pub name: String,
    /// One of three categories.
    pub category: String,
    /// 100 characters.
    pub description: String,
    /// Price in cents, from 1,000.
    pub price: u64,
    /// At least 1.
    pub quantity: u64,
    /// True for every second item, starting with the first.
    pub available: bool,
}

impl Item {
    /// Creates the item at `place` of a batch, counted from 0.
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

    /// Returns the item's contribution to the result's `value`.
    #[must_use]
    pub fn worth(&self) -> u64 {
        self.price * self.quantity
    }
}
