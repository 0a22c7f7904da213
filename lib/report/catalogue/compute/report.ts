import { paragraph, strong } from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import { number } from "../../document/format-number.ts";
import type { ExperimentReport } from "../../experiment-report.ts";
import { answers, sentence } from "../../section/answer.ts";
import { leadSection } from "../../section/lead.ts";
import { publishedPlace } from "../../section/published-column.ts";
import type { ReportView } from "../../view/report-view.ts";
import { computeFigures, workOf, workQuantity } from "./figures.ts";
import { publishedCompute, publishedLead, publishedN } from "./published.ts";
import { workBlocks } from "./work-table.ts";

/** Of `compute`: the work by the function's own clock, and how the lead changes with memory. */
export const computeReport: ExperimentReport = {
  quantities: [workQuantity],
  quantitiesOf: workOf,
  published: publishedCompute,
  part: (inputs) => {
    const figures = computeFigures(inputs);
    return {
      figures,
      answer: (view) => [...answers(view), ...initNote(view), ...publishedNote(view)],
      sections: (view) => [...workBlocks(view, figures), ...leadSection(view)],
      limits: [
        "Two small programs, one thread: a ratio of languages on this work, and on no other.",
        "A share of a CPU is given in slices of time: work that ends within the first slice does not feel the share, so that ratios at small memory sizes grow with the length of the work.",
        "The Rust compiler may inline and unroll; it may not leave the work out: arguments and results are held from it (std::hint::black_box), and every result is checked.",
      ],
    };
  },
};

function initNote(view: ReportView): readonly Block[] {
  const comparisons = view.comparisons.variants.filter(
    ({ phase, quantity }) => phase === "cold" && quantity === "initDurationMs",
  );
  if (comparisons.length === 0) return [];
  return [paragraph([strong("Init, with no SDK in it:"), sentence(view, comparisons)])];
}

function publishedNote(view: ReportView): readonly Block[] {
  const { published } = view;
  if (published === undefined || published.series.length === 0) return [];
  const n = view.plan.requests?.fibonacci?.parameters?.n;
  const other = n === publishedN ? "" : `, of Fibonacci number ${publishedN} and not ${n}`;
  return [
    paragraph([
      strong("Published, not measured here:"),
      ` Python over Rust about ${number(publishedLead, 0)} times in Duration${other} (${publishedPlace(published)}).`,
    ]),
  ];
}
