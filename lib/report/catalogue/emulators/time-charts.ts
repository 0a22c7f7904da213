import { pipelines, workload } from "../../../contract/engine-workload.ts";
import { type MedianPanel, medianRowsChart } from "../../chart/median-rows.ts";
import type { Block } from "../../document/document.ts";
import { labelOf } from "../../report-subject.ts";
import type { Measure } from "../../view/measure.ts";
import { type EngineFigures, operationOf } from "./figures.ts";
import { operationLabel } from "./operations.ts";
import type { EngineView } from "./view.ts";

/** How long each engine took to start. */
export function startChart(view: EngineView): readonly Block[] {
  return medianRowsChart(
    {
      id: "chart-engines-start",
      title: "Start-up",
      description:
        "Median over the rounds with its 95 % interval, in ms, logarithmic. Further to the left is sooner.",
      tableId: "start-up",
    },
    [panelOf(view, "start-up", ({ start }) => start.startup)],
  );
}

/** How long a request of each step took, and one test of a pipeline: a panel each, a row an engine. */
export function stepCharts(view: EngineView): readonly Block[] {
  return medianRowsChart(
    {
      id: "chart-engines-steps",
      title: "A request of each step",
      description:
        "Median over the rounds with its 95 % interval, in ms, logarithmic and on one scale: of a request, and of one test of a pipeline. Further to the left is quicker.",
      tableId: "workload",
    },
    [...workload, ...pipelines].map((name) =>
      panelOf(view, name, (engine) => operationOf(engine, name)?.requests),
    ),
  );
}

function panelOf(
  view: EngineView,
  name: string,
  measureOf: (engine: EngineFigures) => Measure | undefined,
): MedianPanel {
  const rows = view.engines.flatMap((engine, style) => {
    const measure = measureOf(engine);
    const label = labelOf(view.subject, engine.id);
    return measure === undefined || measure.n === 0 ? [] : [{ label, style, measure }];
  });
  return { label: operationLabel(name), rows };
}
