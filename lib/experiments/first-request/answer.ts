import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Measure } from "../../analysis/series-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { shortLabel, sizeLabel } from "../../report/document/cell-labels.ts";
import {
  type Block,
  code,
  list,
  type Note,
  paragraph,
  remark,
  strong,
  warning,
} from "../../report/document/document.ts";
import { count, number, percent, plural } from "../../report/document/format.ts";
import type { Topic } from "../../report/first-screen/topic.ts";
import { topicsOf } from "../../report/first-screen/view-topics.ts";
import { publishedPlace } from "../../report/section/columns.ts";
import { changeItems, changesRun, evidenceItems } from "./evidence.ts";
import {
  type FirstRequestFigures,
  type Handshake,
  noJitter,
  publishedBilledReduction,
  publishedPhases,
  ring,
} from "./figures.ts";

/** States whether the handshake or one-time work dominates, and what removes it, only as far as the figures show it. */
export function firstRequestEvidence(
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
            `What each change does, as a ratio to ${variantLabel(view.subject, view.subject.baselineVariant)}:`,
          ),
          list(changes),
        ]),
    ...entropyNote(view),
    ...publishedNote(view),
  ];
}

/** Makes a paragraph per conclusion, with the sizes it applies to. */
function claims(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  return conclusions(view, figures).map(({ sizes, claim, because }) =>
    paragraph([strong(`At ${sizes} ${claim}`), ` ${because}`]),
  );
}

/** Lists the conclusions, each with the memory sizes that support it. */
function conclusions(view: ReportView, figures: FirstRequestFigures) {
  const findings = listFindings(view, figures);
  return [...new Set(findings.map(({ conclusion }) => conclusion))].map((conclusion) => {
    const alike = findings.filter((finding) => finding.conclusion === conclusion);
    return { sizes: sizesText(view, alike), ...conclusionPhrases[conclusion] };
  });
}

/** Returns the conclusions in one sentence. */
export function firstRequestLead(
  view: ReportView,
  figures: FirstRequestFigures,
): readonly string[] {
  const claims = conclusions(view, figures).map(
    ({ sizes, claim }) => `at ${sizes} ${claim.replace(/\.$/, "")}`,
  );
  return claims.length === 0 ? [] : [`A${claims.join("; ").slice(1)}.`];
}

/** States how each change affects a cold start: work that leaves the first request may only have moved to Init. */
export function changeTopics(view: ReportView): readonly Topic[] {
  const changes = changesRun(view).map((variant) => shortLabel(view, variant));
  return topicsOf(view, "cold", "initAndDurationMs").filter(({ subject }) =>
    changes.includes(subject),
  );
}

/** Returns `128, 512 MB`, or full labels if more than the memory varies. */
function sizesText(view: ReportView, findings: readonly Finding[]): string {
  const { architecture, workers } = view.varies;
  return architecture || workers
    ? findings.map(({ cell }) => sizeLabel(view, cell)).join("; ")
    : `${findings.map(({ cell }) => count(cell.memoryMb)).join(", ")} MB`;
}

/** Names where it was measured, because the conclusions are established only there. */
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
      ? " No CPU quota was available: this is the work at full speed, not at a memory size's share of a CPU."
      : "";
  return `This was measured ${places[target]}, with ${plural(plan.sizes.environments, "new environment")} per cell planned; the tables state the n of each figure.${speed}`;
}

/** Warns if warm-up calls failed. */
export function warmupNotes({ warmupFailures, series }: ReportView): readonly Note[] {
  const failed = warmupFailures.reduce((sum, { count }) => sum + count, 0);
  if (failed === 0) return [];
  const warmups = series.reduce((sum, { warmupMs }) => sum + (warmupMs?.n ?? 0), 0);
  return [
    warning(
      `${failed} of ${warmups} warm-up calls in Init failed. Their environments stay in every figure, with a first request that was not warmed; the table of warm-up calls names the failures.`,
    ),
  ];
}

function entropyNote(view: ReportView): readonly Block[] {
  if (!view.variants.includes(noJitter)) return [];
  return [
    remark([
      code(noJitter),
      " builds aws-lc as its maintainers advise those who cannot wait for it (https://github.com/aws/aws-lc-rs/issues/1140): with one source of entropy fewer, so that the system's is the only guaranteed one.",
    ]),
  ];
}

/** Quotes the published figures, which no conclusion is based on. */
function publishedNote({ published }: ReportView): readonly Block[] {
  if (published === undefined || published.series.length === 0) return [];
  const { tlsMean, lambdaDurationMean, sdkFirstCallMean, tls } = publishedPhases;
  return [
    paragraph([
      strong("Published, not measured here:"),
      ` the first TLS handshake takes ${number(tlsMean)} of ${number(lambdaDurationMean)} ms of first Duration, and the SDK's first call after it, which opens its own connection, ${number(sdkFirstCallMean)} ms (means of ${tls.length}); a warm-up call in Init takes ${percent(publishedBilledReduction)} off the bill (${publishedPlace(published)}).`,
    ]),
  ];
}

/** Each claim completes a sentence that starts with the sizes: `At 128, 512 MB `. */
const conclusionPhrases: Readonly<
  Record<Conclusion, { readonly claim: string; readonly because: string }>
> = {
  entropy: {
    claim:
      "most of the first request goes to one-time crypto initialisation, and not to the TLS handshake as such.",
    because:
      "The second handshake in the same process saves most of the first one's time, and a build that does not gather CPU-jitter entropy saves most of the first request's time.",
  },
  provider: {
    claim:
      "most of the first request goes to one-time initialisation of the crypto library, and not to the TLS handshake as such.",
    because:
      "The second handshake in the same process saves most of the first one's time, and another crypto library saves most of the first request's time. That gathering entropy is the cause was not shown.",
  },
  "entropy-alone": {
    claim:
      "the builds alone point to one-time crypto initialisation as what most of the first request goes to.",
    because:
      "Without CPU-jitter entropy, most of the first request's time is gone; whether the handshake itself plays a part was not decided by comparing the first with the second.",
  },
  "provider-alone": {
    claim:
      "the builds alone point to the crypto library as what most of the first request goes to.",
    because:
      "With another crypto library, most of the first request's time is gone; whether that work is done once or with every handshake was not decided by comparing the first with the second.",
  },
  contradiction: {
    claim: "the evidence contradicts itself, and no conclusion is drawn.",
    because:
      "Another build saves most of the first request's time, yet the second handshake in the same process takes more than half as long as the first.",
  },
  elsewhere: {
    claim: "most of the first request is not in the TLS handshake at all.",
    because:
      "The first handshake of a process takes less than half as long as the whole first request without any change.",
  },
  "one-time-other": {
    claim:
      "the first handshake is mostly one-time work, and not the TLS handshake as such; that it is the crypto library's was not shown.",
    because:
      "The second handshake in the same process saves most of the first one's time, yet no crypto change that was run makes the first request faster.",
  },
  "one-time": {
    claim:
      "the first handshake is mostly one-time work, and not the TLS handshake as such; whether it is the crypto library's was not decided.",
    because:
      "The second handshake in the same process saves most of the first one's time; that a crypto change removes more than half of the first request was not shown.",
  },
  handshake: {
    claim: "the first handshake is mostly the TLS handshake itself, and not work done once.",
    because:
      "The second handshake in the same process takes more than half as long as the first, so most of it comes with every new connection.",
  },
  undecided: {
    claim: "it is undecided between the TLS handshake and one-time crypto initialisation.",
    because: "The intervals do not support a conclusion, or too few environments were measured.",
  },
};

/**
 * Conclusion that the evidence of one size supports. Each claim is about most (more than half) of a time, and is made only if
 * the whole interval lies on that side of one half.
 *
 * - entropy: the first handshake is mostly one-time work, and without CPU-jitter entropy most of the first request is
 *   gone;
 * - provider: the same with another crypto library, while leaving out the entropy does not show it;
 * - entropy-alone, provider-alone: the builds show it, and the handshakes show nothing;
 * - contradiction: a build shows it, but the second handshake takes more than half of the first;
 * - elsewhere: the first TLS handshake takes less than half of the baseline's request;
 * - one-time-other: the handshake is mostly one-time work, and no crypto change shortens the request;
 * - one-time: the handshake is mostly one-time work, and how much of that is crypto is not decided;
 * - handshake: most of the first handshake is repeated in the second;
 * - undecided: none of these.
 */
type Conclusion =
  | "entropy"
  | "provider"
  | "entropy-alone"
  | "provider-alone"
  | "contradiction"
  | "elsewhere"
  | "one-time-other"
  | "one-time"
  | "handshake"
  | "undecided";

/** The conclusion at one size of the run: memory, architecture, workers. */
interface Finding {
  readonly cell: Cell;
  readonly conclusion: Conclusion;
}

function listFindings(view: ReportView, figures: FirstRequestFigures): readonly Finding[] {
  return view.sizes.flatMap((cells) => {
    const ids = new Set(cells.map((cell) => cell.id));
    const firstOf = (variant: string) => {
      const cell = cells.find((candidate) => candidate.variant === variant);
      return view.rowOf(cell, "cold", view.plan.coldOperation)?.compared.durationMs;
    };
    const evidence: Evidence = {
      handshake: figures.handshakes.find((candidate) => ids.has(candidate.cell.id)),
      noJitter: firstOf(noJitter),
      ring: firstOf(ring),
    };
    const [cell] = cells;
    return cell === undefined ? [] : [{ cell, conclusion: conclude(evidence) }];
  });
}

interface Evidence {
  readonly handshake: Handshake | undefined;
  /** Ratio of the first request's Duration to the baseline's. */
  readonly noJitter: Comparison | undefined;
  readonly ring: Comparison | undefined;
}

function conclude({ handshake, noJitter, ring }: Evidence): Conclusion {
  const repeats = handshake === undefined ? "unknown" : describeRepetition(handshake);
  const isEntropy = removesMost(noJitter);
  if (isEntropy || removesMost(ring)) {
    if (repeats === "mostly") return "contradiction";
    if (repeats === "hardly") return isEntropy ? "entropy" : "provider";
    return isEntropy ? "entropy-alone" : "provider-alone";
  }
  if (isBelowHalf(handshake?.firstToRequest)) return "elsewhere";
  if (repeats === "mostly") return "handshake";
  if (repeats === "unknown") return "undecided";
  const known = [noJitter, ring].filter((comparison) => comparison !== undefined);
  return known.length > 0 && known.every(removesNothing) ? "one-time-other" : "one-time";
}

/** Returns whether the second handshake of a process takes more than half of the first one's time. */
function describeRepetition({ firstToSecond: { low, high } }: Handshake) {
  if (low !== undefined && low > 2) return "hardly";
  return high !== undefined && high < 2 ? "mostly" : "unknown";
}

function removesMost(comparison: Comparison | undefined): boolean {
  return comparison?.verdict === "faster" && isBelowHalf(comparison);
}

function removesNothing({ verdict }: Comparison): boolean {
  return verdict === "equivalent" || verdict === "slower";
}

function isBelowHalf(interval: Pick<Measure, "high"> | undefined): boolean {
  return interval?.high !== undefined && interval.high < 0.5;
}
