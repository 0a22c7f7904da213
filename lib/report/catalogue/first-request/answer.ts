import { code, list, paragraph, remark, strong, warning } from "../../document/blocks.ts";
import { dimensionsOf, sizeLabel } from "../../document/cell-labels.ts";
import type { Block } from "../../document/document.ts";
import { number, percent, plural } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import { publishedPlace } from "../../section/published-column.ts";
import type { ReportView } from "../../view/report-view.ts";
import { variantsRun } from "../../view/select.ts";
import { conclusionWords } from "./conclusion-words.ts";
import { changeItems, evidenceItems } from "./evidence.ts";
import type { FirstRequestFigures } from "./figures.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { publishedBilledReduction, publishedPhases } from "./published.ts";
import { noJitter } from "./variants.ts";

/** Handshake or one-time work, and what removes it: what the numbers carry, and no more. */
export function firstRequestAnswer(
  view: ReportView,
  figures: FirstRequestFigures,
): readonly Block[] {
  const changes = changeItems(view);
  return [
    ...claims(view, figures),
    paragraph(placeText(view)),
    paragraph("What this rests on:"),
    list(evidenceItems(view, figures)),
    ...(changes.length === 0
      ? []
      : [
          paragraph(
            `What each change does, as a ratio to ${labelOf(view.subject, view.subject.baselineVariant)}:`,
          ),
          list(changes),
        ]),
    ...warmupNote(view),
    ...entropyNote(view),
    ...publishedNote(view),
  ];
}

/** A paragraph a conclusion, with the sizes that it was drawn at. */
function claims(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  const findings = findingsOf(view, figures);
  const conclusions = [...new Set(findings.map(({ conclusion }) => conclusion))];
  return conclusions.map((conclusion) => {
    const sizes = findings.filter((finding) => finding.conclusion === conclusion);
    const words = conclusionWords[conclusion];
    return paragraph([strong(`At ${sizesText(view, sizes)} ${words.claim}`), ` ${words.because}`]);
  });
}

/** The conclusions alone, in one sentence. */
export function firstRequestFinding(view: ReportView, figures: FirstRequestFigures): string {
  const findings = findingsOf(view, figures);
  const conclusions = [...new Set(findings.map(({ conclusion }) => conclusion))];
  const claims = conclusions.map((conclusion) => {
    const sizes = findings.filter((finding) => finding.conclusion === conclusion);
    return `at ${sizesText(view, sizes)} ${conclusionWords[conclusion].claim.replace(/\.$/, "")}`;
  });
  const sentence = claims.join("; ");
  return sentence === "" ? "Nothing was measured." : `A${sentence.slice(1)}.`;
}

/** `128, 512 MB`, or each in full where more than the memory varies. */
function sizesText(view: ReportView, findings: readonly Finding[]): string {
  const { architecture, workers } = dimensionsOf(view);
  return architecture || workers
    ? findings.map(({ cell }) => sizeLabel(view, cell)).join("; ")
    : `${findings.map(({ cell }) => cell.memoryMb).join(", ")} MB`;
}

/** On what it was measured: a conclusion holds there and is a guess elsewhere. */
function placeText({ manifest, plan }: ReportView): string {
  const { machine, region, target } = manifest;
  const architectures = [...new Set(plan.cells.map(({ architecture }) => architecture))].join(", ");
  const places = {
    aws: `on AWS Lambda (${region ?? "region not recorded"}, ${architectures})`,
    local: `in a simulation on one machine (${machine?.cpuModel ?? "processor not recorded"}, ${architectures}), and not on AWS Lambda`,
    fake: "on a fake target, and not on AWS Lambda",
    imported: "by others",
  };
  const speed =
    machine?.cpuQuota === "unthrottled"
      ? " No CPU quota was to be had: this is the work at full speed, and not at a memory size's share of it."
      : "";
  return `This was measured ${places[target]}, with ${plural(plan.sizes.environments, "new environment")} a cell planned; the tables state the n that each figure has.${speed}`;
}

function warmupNote({ warmupFailures, series }: ReportView): readonly Block[] {
  const failed = warmupFailures.reduce((sum, { count }) => sum + count, 0);
  if (failed === 0) return [];
  const made = series.reduce((sum, { warmupMs }) => sum + (warmupMs?.n ?? 0), 0);
  return [
    warning(
      `${failed} of ${made} warm-up calls in Init failed. Their environments stay in every figure, with a first request that was not warmed; the table of warm-up calls names the failures.`,
    ),
  ];
}

function entropyNote(view: ReportView): readonly Block[] {
  if (!variantsRun(view).includes(noJitter)) return [];
  return [
    remark([
      code(noJitter),
      " is a diagnosis and not advice: it drops one of the sources from which the crypto library's random numbers are seeded, and leaves the system's alone.",
    ]),
  ];
}

/** What the source found: beside, and in no conclusion. */
function publishedNote({ published }: ReportView): readonly Block[] {
  if (published === undefined || published.series.length === 0) return [];
  const { tlsMean, lambdaDurationMean, sdkFirstCallMean, tls } = publishedPhases;
  return [
    paragraph([
      strong("Published, not measured here:"),
      ` the first TLS handshake takes ${number(tlsMean)} of ${number(lambdaDurationMean)} ms of first Duration, and the SDK's first call after it, with a connection of its own, ${number(sdkFirstCallMean)} ms (means of ${tls.length}); a warm-up call in Init takes ${percent(publishedBilledReduction)} off the bill (${publishedPlace(published)}).`,
    ]),
  ];
}
