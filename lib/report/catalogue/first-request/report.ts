import { heading, paragraph } from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import type { ExperimentReport } from "../../experiment-report.ts";
import type { ReportView } from "../../view/report-view.ts";
import { firstRequestAnswer, firstRequestFinding } from "./answer.ts";
import { connectionQuantities, connectionQuantitiesOf } from "./connections.ts";
import { effectBlocks } from "./effects.ts";
import { changesRun } from "./evidence.ts";
import { type FirstRequestFigures, firstRequestFigures } from "./figures.ts";
import { handshakeChart, handshakeTable } from "./handshakes.ts";
import { phaseRunBlocks, phaseTable } from "./phase-tables.ts";
import { publishedFirstRequest } from "./published.ts";

/** Of `first-request`: where the first request's time goes, and what each change does to it. */
export const firstRequestReport: ExperimentReport = {
  quantities: connectionQuantities,
  quantitiesOf: connectionQuantitiesOf,
  published: publishedFirstRequest,
  part: (inputs) => {
    const figures = firstRequestFigures(inputs);
    return {
      figures,
      answer: (view) => firstRequestAnswer(view, figures),
      finding: (view) => firstRequestFinding(view, figures),
      sections: (view) => [...breakdownBlocks(view, figures), ...changeBlocks(view, figures)],
      limits: [
        "The breakdown makes its connections by hand before the SDK makes its own, so that its first request is longer than an ordinary one; its handshakes are compared with each other alone.",
        "A second handshake may be shorter for more reasons than crypto set-up: pages, caches and certificates that the first one loaded. The builds with another crypto are what tells these apart.",
        "One GetItem of one item: what another service's first request takes was not measured.",
      ],
    };
  },
};

function breakdownBlocks(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  const head = heading(2, "Where the first request goes");
  if (figures.handshakes.length === 0) {
    return [head, paragraph("The breakdown was not run: the phases are not known.")];
  }
  return [
    head,
    paragraph(
      "The breakdown connects to the DynamoDB endpoint by hand, twice, and times name look-up, TCP and TLS by themselves; then the SDK makes its first call. What the first connection takes beyond the second is work that the process does once, or whose result it keeps.",
    ),
    ...handshakeChart(figures),
    handshakeTable(view, figures),
    phaseTable(view, figures),
    ...phaseRunBlocks(view, figures),
  ];
}

function changeBlocks(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  return changesRun(view).length === 0 ? [] : effectBlocks(view, figures);
}
