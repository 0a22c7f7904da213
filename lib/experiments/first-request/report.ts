import {
  isMeasured,
  type Measured,
  type OwnMetric,
  readField,
} from "../../analysis/collected-series.ts";
import { isOfConditions } from "../../analysis/published.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell, Sample } from "../../contract/types/contract.ts";
import { sizeColumns } from "../../report/document/cell-labels.ts";
import {
  type Block,
  details,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
  type Table,
} from "../../report/document/document.ts";
import {
  measureText,
  medianText,
  missing,
  number,
  sizeText,
} from "../../report/document/format.ts";
import type { ExperimentReport } from "../../report/experiment-report.ts";
import { blockText, limited, publishedCaption } from "../../report/section/columns.ts";
import { changeTopics, firstRequestEvidence, firstRequestLead, warmupNotes } from "./answer.ts";
import { effectBlocks, handshakeChart, handshakeTable } from "./effects.ts";
import { changesRun } from "./evidence.ts";
import {
  type BreakdownPhase,
  breakdownPhases,
  type FirstRequestFigures,
  firstRequestFigures,
  type PhaseFigures,
  type PhaseRun,
  publishedFirstRequest,
} from "./figures.ts";

/** Phases of the two connections of one invocation, and the extra TLS time of the first over the second. */
const connectionMetrics: readonly OwnMetric[] = [
  "own.firstDnsMs",
  "own.firstTcpMs",
  "own.firstTlsMs",
  "own.firstConnectionMs",
  "own.secondDnsMs",
  "own.secondTcpMs",
  "own.secondTlsMs",
  "own.secondConnectionMs",
  "own.oneTimeTlsMs",
];

/** Reads the phases of an invocation that opened two connections by hand; empty for any other. */
function readConnectionMetrics({ result }: Sample): Measured {
  const connections = readField(result, "connections");
  if (!Array.isArray(connections) || connections.length !== 2) return {};
  const [first, second] = connections.map(readConnection);
  if (first === undefined || second === undefined) return {};
  return {
    "own.firstDnsMs": first.dnsMs,
    "own.firstTcpMs": first.tcpMs,
    "own.firstTlsMs": first.tlsMs,
    "own.firstConnectionMs": first.dnsMs + first.tcpMs + first.tlsMs,
    "own.secondDnsMs": second.dnsMs,
    "own.secondTcpMs": second.tcpMs,
    "own.secondTlsMs": second.tlsMs,
    "own.secondConnectionMs": second.dnsMs + second.tcpMs + second.tlsMs,
    // This may be negative, if the second handshake took longer.
    "own.oneTimeTlsMs": first.tlsMs - second.tlsMs,
  };
}

function readConnection(connection: unknown) {
  const dnsMs = readField(connection, "dnsMs");
  const tcpMs = readField(connection, "tcpMs");
  const tlsMs = readField(connection, "tlsMs");
  return isMeasured(dnsMs) && isMeasured(tcpMs) && isMeasured(tlsMs)
    ? { dnsMs, tcpMs, tlsMs }
    : undefined;
}

/** The report of `first-request`: where the first request's time goes, and how each change affects it. */
export const firstRequestReport: ExperimentReport = {
  metrics: connectionMetrics,
  metricsOf: readConnectionMetrics,
  published: publishedFirstRequest,
  part: (inputs) => {
    const figures = firstRequestFigures(inputs);
    return {
      figures,
      notes: warmupNotes,
      lead: (view) => firstRequestLead(view, figures),
      topics: changeTopics,
      evidence: (view) => firstRequestEvidence(view, figures),
      sections: (view) => [
        ...breakdownBlocks(view, figures),
        ...(changesRun(view).length === 0 ? [] : effectBlocks(view, figures)),
      ],
      limits: [
        "The breakdown opens its connections by hand before the SDK opens its own, so its first request is longer than an ordinary one; its handshakes are compared only with each other.",
        "A second handshake may be shorter for more reasons than crypto set-up: pages, caches and certificates that the first one loaded. The builds with other crypto tell these apart.",
        "One GetItem of one item: first requests to other services were not measured.",
      ],
    };
  },
};

function breakdownBlocks(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  const head = heading(
    2,
    "Where the first request goes",
    "Name lookup, TCP and TLS of two connections, and the SDK's first call.",
  );
  if (figures.handshakes.length === 0) {
    return [head, paragraph("The breakdown was not run, so the phases are unknown.")];
  }
  return [
    head,
    paragraph(
      "The breakdown connects to the DynamoDB endpoint by hand, twice, and times name lookup, TCP and TLS separately; then the SDK makes its first call. What the first connection takes beyond the second is work that the process does once, or whose result it keeps.",
    ),
    ...handshakeChart(figures),
    handshakeTable(view, figures),
    phaseTable(view, figures),
    ...phaseRunBlocks(view, figures),
  ];
}

/** Tabulates every phase of the breakdown's cold start by memory, with the published mean. */
function phaseTable(view: ReportView, { phases }: FirstRequestFigures): Table {
  const isPublished = phases.some(({ cell }) => isPublishedSize(view, cell));
  const phaseOf = (row: PhaseFigures) => breakdownPhases.find(({ key }) => key === row.phase);
  return makeTable<PhaseFigures>(
    {
      id: "first-request-phases",
      caption: `Where the first request goes: mean and median [95% CI] over environments, ms, by the function's own clock; Init and Duration are Lambda's. The first Duration includes both connections and the SDK call, which opens a connection of its own.${publishedCaption(view, isPublished)}`,
    },
    [
      ...sizeColumns<PhaseFigures>(view, (row) => row.cell),
      rowHeader("Phase", (row) => phaseOf(row)?.label ?? row.phase),
      numberColumn("n", (row) => sizeText(row.measure)),
      numberColumn("Mean ms", (row) => measureText(row.measure)),
      numberColumn("Median ms", (row) => medianText(row.measure)),
      isPublished
        ? numberColumn("Published mean ms", (row) =>
            isPublishedSize(view, row.cell) ? number(phaseOf(row)?.publishedMeanMs) : missing,
          )
        : undefined,
    ],
    phases,
  );
}

function isPublishedSize({ plan, published }: ReportView, cell: Cell): boolean {
  return published !== undefined && isOfConditions(plan, cell, published.conditions);
}

/** Shows every cold start of the breakdown, and the published ones in a separate table. */
function phaseRunBlocks(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  const { phaseRuns } = figures;
  if (phaseRuns.length === 0) return [];
  const isPublished = phaseRuns.some(({ cell }) => isPublishedSize(view, cell));
  return [
    details("Each cold start of the breakdown, phase by phase", [
      ...limited(phaseRuns, (rows) => runTable(view, rows)),
      ...(isPublished ? [publishedRunTable(view)] : []),
    ]),
  ];
}

function runTable(view: ReportView, rows: readonly PhaseRun[]): Table {
  return makeTable<PhaseRun>(
    {
      id: "first-request-runs",
      caption: `Each cold start of the breakdown, ms, one environment per row (n = 1 per cell). ${missing}: not reported by the sample.`,
    },
    [
      ...sizeColumns<PhaseRun>(view, (row) => row.cell),
      rowHeader("Block", blockText),
      ...breakdownPhases.map(({ key, label }) =>
        numberColumn<PhaseRun>(label, ({ phasesMs }) => number(phasesMs[key])),
      ),
    ],
    rows,
  );
}

function publishedRunTable(view: ReportView): Table {
  const known = breakdownPhases.filter((phase) => phase.publishedRunsMs !== undefined);
  const runs = Math.max(...known.map(({ publishedRunsMs = [] }) => publishedRunsMs.length));
  return makeTable<number>(
    {
      id: "first-request-published-runs",
      caption: `The source's own cold starts, ms.${publishedCaption(view, true)}`,
    },
    [
      rowHeader("Run", (run) => String(run + 1), "number"),
      ...known.map(({ label, publishedRunsMs }: BreakdownPhase) =>
        numberColumn<number>(label, (run) => number(publishedRunsMs?.[run])),
      ),
    ],
    Array.from({ length: runs }, (_, run) => run),
  );
}
