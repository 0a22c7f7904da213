import { seededSortKey, type TableSeed } from "./experiment.ts";

/** An item of the seeded partition. */
export interface SeedItem {
  readonly pk: string;
  readonly sk: string;
  readonly data: string;
  readonly timestamp: number;
}

/** The items that an experiment's table holds before a run. */
export function seedItems(seed: TableSeed): readonly SeedItem[] {
  return Array.from({ length: seed.itemCount }, (_, index) => ({
    pk: seed.pk,
    sk: seededSortKey(index),
    data: "x".repeat(seed.dataLength),
    timestamp: index,
  }));
}
