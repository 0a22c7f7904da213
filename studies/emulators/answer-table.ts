import { variantLabel } from "../../lib/analysis/report-subject.ts";
import {
  link,
  makeTable,
  numberColumn,
  rowHeader,
  type Table,
  verdictColumn,
} from "../../lib/report/document/document.ts";
import { groupedNumber, missing, plural } from "../../lib/report/document/format.ts";
import { mostRows } from "../../lib/report/first-screen/answer-table.ts";
import { comparedIn, outcomeText } from "../../lib/report/first-screen/pair-outcomes.ts";
import type { Topic } from "../../lib/report/first-screen/topic.ts";
import { coldBaseline } from "./collect.ts";
import { type EngineFigures, type EngineView, findOperation } from "./figures.ts";
import { startRowId } from "./times.ts";

/** Builds the first screen's table: start and fifty tests of each engine, and its times relative to DynamoDB Local's. */
export function engineTable(view: EngineView, topics: readonly Topic[]): Table | undefined {
  const measured = view.engines.filter(({ start }) => start.startup.n > 0);
  if (measured.length === 0) return undefined;
  const shown = shownEngines(measured);
  const outcome = ({ id }: EngineFigures, isStart: boolean) => {
    const label = variantLabel(view.subject, id);
    const own = topics.filter(({ subject }) => subject === label);
    return outcomeText(comparedIn(own, isStart));
  };
  const notShown = measured.length - shown.length;
  return makeTable<EngineFigures>(
    {
      id: "answer",
      caption: `Medians on this machine; compared with DynamoDB Local, requests with its warm JVM, each by the strongest ratio and how many share its direction.${notShown === 0 ? "" : ` Not shown here: ${plural(notShown, "other engine")}.`}`,
    },
    [
      rowHeader("engine", ({ id }) => variantLabel(view.subject, id)),
      numberColumn("start ms", ({ id, start: { startup } }) =>
        startup.median === undefined
          ? missing
          : [link(groupedNumber(startup.median), startRowId(id))],
      ),
      numberColumn("tests ms", (engine) =>
        groupedNumber(findOperation(engine, "pipeline")?.total.median),
      ),
      verdictColumn("start", (engine) => outcome(engine, true)),
      verdictColumn("requests", (engine) => outcome(engine, false)),
    ],
    shown,
  );
}

/** Returns all engines if there is room; else the baseline and those with the fastest and slowest start come first. */
function shownEngines(engines: readonly EngineFigures[]): readonly EngineFigures[] {
  if (engines.length <= mostRows) return engines;
  const startOf = ({ start }: EngineFigures) => start.startup.median ?? Number.POSITIVE_INFINITY;
  const ranked = engines.toSorted((a, b) => startOf(a) - startOf(b));
  const first = [engines.find(({ id }) => id === coldBaseline), ranked[0], ranked.at(-1)];
  const ordered = new Set([...first, ...engines].filter((engine) => engine !== undefined));
  const shown = [...ordered].slice(0, mostRows);
  return engines.filter((engine) => shown.includes(engine));
}
