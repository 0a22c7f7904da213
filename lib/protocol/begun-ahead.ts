/**
 * What `begin` gives for each item, in the items' order: as many are begun as may be in flight, and the
 * next one when the first of them is taken.
 */
export function* begunAhead<Item, Begun>(
  items: Iterable<Item>,
  inFlight: number,
  begin: (item: Item) => Begun,
): Generator<Begun> {
  const begun: Begun[] = [];
  for (const item of items) {
    begun.push(begin(item));
    if (begun.length === inFlight) yield begun.shift() as Begun;
  }
  yield* begun;
}
