/**
 * Does the work on every item, at most `lanes` at the same time. After a failure no further item is
 * begun; what is under way comes to its end, and then the failure is thrown.
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
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
