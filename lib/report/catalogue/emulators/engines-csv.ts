import { type CsvValue, renderCsv } from "../../render/csv.ts";
import type { EngineFigures, OperationFigures } from "./figures.ts";
import type { EngineView } from "./view.ts";

/** An engine's operation, or its start, of which only some is known. */
type Line = Pick<OperationFigures, "operation" | "requests" | "timesAsQuick"> &
  Partial<OperationFigures> & { readonly engine: string };

const columns: Readonly<Record<string, (line: Line) => CsvValue>> = {
  engine: ({ engine }) => engine,
  operation: ({ operation }) => operation,
  rounds: ({ requests }) => requests.environments,
  requests: ({ requests }) => requests.n,
  medianMs: ({ requests }) => requests.median,
  lowMs: ({ requests }) => requests.low,
  highMs: ({ requests }) => requests.high,
  p95Ms: ({ p95Ms }) => p95Ms?.value,
  p99Ms: ({ p99Ms }) => p99Ms?.value,
  totalMedianMs: ({ total }) => total?.median,
  memoryMedianKb: ({ memoryKb }) => memoryKb?.median,
  diskBytes: ({ diskBytes }) => diskBytes?.median,
  timesAsQuick: ({ timesAsQuick }) => timesAsQuick?.ratio,
  timesAsQuickLow: ({ timesAsQuick }) => timesAsQuick?.low,
  timesAsQuickHigh: ({ timesAsQuick }) => timesAsQuick?.high,
};

/** A line an engine and operation, unrounded. */
export function enginesCsv({ engines, inFiles }: EngineView): string {
  const lines = [...engines, ...inFiles].flatMap(linesOf);
  const rows = lines.map((line) => Object.values(columns).map((column) => column(line)));
  return renderCsv(Object.keys(columns), rows);
}

function linesOf({ id, start, operations }: EngineFigures): readonly Line[] {
  const { startup, timesAsQuick } = start;
  const quicker = timesAsQuick === undefined ? {} : { timesAsQuick };
  return [
    { engine: id, operation: "start_up", requests: startup, ...quicker },
    ...operations.map((figures) => ({ engine: id, ...figures })),
  ];
}
