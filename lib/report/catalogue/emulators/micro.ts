import type { MicroBenchmarks } from "../../../contract/types/contract.ts";
import { heading, numberColumn, paragraph, tableOf, textColumn } from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import { measureText } from "../../document/format-measure.ts";
import { number } from "../../document/format-number.ts";
import { publishedMicroUs } from "./published.ts";

type Call = MicroBenchmarks["calls"][number];

const labels: Readonly<Record<string, string>> = {
  get: "GetItem",
  put_small: "PutItem, 200 B",
  put_medium: "PutItem, 1 KB",
  put_large: "PutItem, 51 KB",
  query: "Query, 50 items",
  query_index: "Query on the index, 1 item",
  scan: "Scan of 1,000 items with a filter",
  update: "UpdateItem, conditional",
  delete: "DeleteItem",
  batch_write: "BatchWriteItem (25 items)",
  batch_get: "BatchGetItem (100 keys)",
  transact_write: "TransactWriteItems (4)",
};

/** The embedded engine's single calls; how they are had where they are not there. */
export function microBlocks(micro: MicroBenchmarks | undefined): readonly Block[] {
  const title = heading(2, "Embedded, call by call");
  if (micro === undefined) {
    return [
      title,
      paragraph(
        "Not measured for this run: npm run bench:micro -- --run with the run's folder times single calls of embedded dynoxide by criterion, and puts them here.",
      ),
    ];
  }
  const versions = Object.entries(micro.versions).map((entry) => entry.join(" "));
  return [
    title,
    paragraph(
      `Single calls of dynoxide in the process that makes them, in a table of 1,000 items, timed by criterion and not by this run: ${micro.measuredAt}, ${micro.machine}, ${versions.join(", ")}. They are held against no engine over HTTP.`,
    ),
    tableOf<Call>(
      {
        id: "micro",
        caption:
          "Embedded calls, microseconds: criterion's median [95 % interval]. The call alone: its request is made before, and its answer read after.",
        rowHeaders: 1,
      },
      [
        textColumn("Call", ({ call }) => labels[call] ?? call),
        numberColumn("Median us", (call) => microsecondsText(call)),
        numberColumn("Published us", ({ call }) => number(publishedMicroUs(call))),
      ],
      micro.calls,
    ),
  ];
}

function microsecondsText({ medianNs, lowNs, highNs }: Call): string {
  const measure = { median: medianNs / 1000, low: lowNs / 1000, high: highNs / 1000 };
  return measureText({ n: 1, environments: 1, ...measure });
}
