/** The 13 steps, the tests of a pipeline: their names in samples, and as they are printed. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "start-up": "Start-up",
    list_tables: "ListTables",
    create_table: "1 CreateTable",
    batch_write: "2 BatchWriteItem (25 items)",
    get: "3 GetItem",
    put: "4 PutItem (mixed sizes)",
    query: "5 Query with a filter",
    query_index: "6 Query on the index",
    query_paginated: "7 Query, 5 pages",
    scan: "8 Scan, whole table",
    update: "9 UpdateItem, conditional",
    transact_write: "10 TransactWriteItems (4)",
    batch_get: "11 BatchGetItem (100 keys)",
    delete: "12 DeleteItem",
    delete_table: "13 DeleteTable",
    pipeline: "50 tests, one by one",
    pipeline_4: "50 tests, four at a time",
    warm_up: "Warm-up",
    fidelity: "Fidelity",
  }),
);

export function operationLabel(name: string): string {
  return labels.get(name) ?? name;
}
