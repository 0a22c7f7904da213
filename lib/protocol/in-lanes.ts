/**
 * Does the work on every item, at most `lanes` at the same time. Rejects with the first failure; no
 * further item is begun after it.
 */
export async function inLanes<Item>(
  items: Iterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // One generator for all lanes: the loop that throws closes it, which ends the other loops too.
  const remaining = (function* () {
    yield* items;
  })();
  const lane = async () => {
    for (const item of remaining) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
