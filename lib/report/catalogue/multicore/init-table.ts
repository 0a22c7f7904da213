import { numberColumn, tableOf, textColumn } from "../../document/blocks.ts";
import type { Table } from "../../document/document.ts";
import { measureText, sizeText } from "../../document/format-measure.ts";
import { missing } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import type { ReportView } from "../../view/report-view.ts";
import type { InitFigures } from "./figures.ts";
import { publishedInitMs, publishedPlace } from "./published.ts";

/** Init by architecture: the pool is built in it. */
export function initTable(view: ReportView, inits: readonly InitFigures[]): Table {
  return tableOf<InitFigures>(
    {
      id: "multicore-init",
      caption: `Init by architecture, environments of all sizes together: median [95 % interval], ms. Published: least to most (${publishedPlace}).`,
      rowHeaders: 2,
    },
    [
      textColumn("Architecture", ({ architecture }) => architecture),
      textColumn("Variant", ({ variant }) => labelOf(view.subject, variant)),
      numberColumn("n", ({ initDurationMs }) => sizeText(initDurationMs)),
      numberColumn("Init ms", ({ initDurationMs }) => measureText(initDurationMs)),
      numberColumn("Published ms", ({ architecture, variant }) =>
        variant === "rust" ? (publishedInitMs[architecture]?.join(" to ") ?? missing) : missing,
      ),
    ],
    inits,
  );
}
