import { originGroups, originText } from "../../analysis/origins.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { CpuSeries } from "../../analysis/summary.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
  warning,
} from "../document/document.ts";
import { measureText, missing, sizeText } from "../document/format.ts";

type WithOrigins = Pick<ReportView, "plan" | "origins" | "byCpuModel">;

/** Describes the properties that varied between the environments of a run, below the conditions. */
export function mixedOrigins(view: WithOrigins): readonly Block[] {
  const { origins, byCpuModel } = view;
  const mixed = originGroups(origins).filter((group) => group.origins.length > 1);
  const found = mixed.map((group) => {
    const seen = `This run saw ${group.origins.length} ${group.names}: ${originText(group)}.`;
    if (group.kind === "runtime-version") {
      return warning(
        `${seen} Each environment was forced cold by updating its function, which picks up the newest runtime, and that changed during the run. Figures combine both.`,
      );
    }
    if (group.kind === "sdk-version") return warning(`${seen} Figures combine both.`);
    const how =
      byCpuModel === undefined
        ? "; kelvin report --split cpu separates them"
        : "; above, they are separate";
    return paragraph(
      `${seen} Lambda chooses the machine. Means combine all of them${how}. A ratio compares environments of the same CPU model.`,
    );
  });
  return [...found, ...unknownModels(view)];
}

/** Warns if the CPU models are unknown: copies of a user's functions do not report them. */
function unknownModels({ plan, origins }: WithOrigins): readonly Block[] {
  const isRecorded = origins.some(({ kind }) => kind === "cpu-model");
  if (plan.target !== "aws" || plan.ownResults !== true || isRecorded) return [];
  return [
    warning(
      "The CPU models of these environments are not known: a user's function does not say them, and Lambda chooses the processor. Where hosts of one model come in runs, a difference between two functions may be one between processors. Repeat the run at another time before you rely on a difference.",
    ),
  ];
}

/** Returns the figures by CPU model, if requested. */
export function cpuModelSection(view: ReportView): readonly Block[] {
  const { byCpuModel, manifest } = view;
  if (byCpuModel === undefined) return [];
  return [
    heading(2, "By CPU model", "Each series split by the processor it ran on."),
    ...(byCpuModel.some(({ cpuModel }) => cpuModel !== undefined)
      ? [cpuModelTable(view, byCpuModel)]
      : [paragraph(nothingToSplit(manifest.machine?.cpuModel))]),
  ];
}

function nothingToSplit(machineModel: string | undefined): string {
  return machineModel === undefined
    ? "No environment of this run recorded its CPU, so there is nothing to split."
    : `All environments of this run had this machine's CPU, ${machineModel}, so there is nothing to split.`;
}

function cpuModelTable(view: ReportView, rows: readonly CpuSeries[]): Block {
  return makeTable<CpuSeries>(
    {
      id: "by-cpu-model",
      caption: `Mean [95% CI] over the environments of one CPU model, ms. ${missing} stands for environments that did not record theirs.`,
    },
    [
      ...cellColumns<CpuSeries>(view, ({ cell }) => cell),
      rowHeader("Operation", ({ operation }) => operation),
      rowHeader("Phase", ({ phase }) => phase),
      rowHeader("CPU model", ({ cpuModel }) => cpuModel ?? missing),
      numberColumn("n", ({ durationMs }) => sizeText(durationMs)),
      numberColumn("Init ms", ({ initDurationMs }) => measureText(initDurationMs)),
      numberColumn("Duration ms", ({ durationMs }) => measureText(durationMs)),
    ],
    rows,
  );
}
