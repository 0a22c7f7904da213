import type { Sample } from "../lib/contract/types/contract.ts";
import { count, plural } from "../lib/report/document/format.ts";
import type { BuildForecast, BuildStep } from "../lib/toolchain/build-local.ts";

const everyMs = 10_000;
const redrawMs = 200;

/** Progress on stderr: one line redrawn on a terminal, a line every 10 s elsewhere. */
export class Progress {
  /** Whether to print details that few users need, such as cell ids. */
  readonly isVerbose: boolean;
  readonly #stream: NodeJS.WriteStream;
  #lastMs = Number.NEGATIVE_INFINITY;
  #drawn = false;

  constructor(stream: NodeJS.WriteStream = process.stderr, { isVerbose = false } = {}) {
    this.#stream = stream;
    this.isVerbose = isVerbose;
  }

  /** Returns whether a line can be redrawn. */
  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /** Prints a line that stays. */
  say(text: string): void {
    this.#clear();
    this.#stream.write(`${printable(text)}\n`);
  }

  /** Shows the current progress in the line that is redrawn. */
  show(text: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastMs < (this.#stream.isTTY ? redrawMs : everyMs)) return;
    this.#lastMs = nowMs;
    if (!this.#stream.isTTY) return void this.#stream.write(`${printable(text)}\n`);
    this.#clear();
    this.#stream.write(printable(text).slice(0, (this.#stream.columns ?? 80) - 1));
    this.#drawn = true;
  }

  end(): void {
    this.#clear();
  }

  #clear(): void {
    if (this.#drawn) this.#stream.write("\r\u001b[2K");
    this.#drawn = false;
  }
}

/** A build step that takes less time found everything built. */
const noticedMs = 1000;

/** The observed state of one build step. */
interface BuildState {
  readonly startedMs: number;
  crates: number;
  latest: string;
}

/** Shows what is being built, its progress and the time so far. */
export function buildProgress(progress: Progress): (step: BuildStep) => void {
  const underWay = new Map<string, BuildState>();
  return ({ label, state, detail = "" }) => {
    const step = underWay.get(label) ?? { startedMs: performance.now(), crates: 0, latest: "" };
    underWay.set(label, step);
    if (state === "done") {
      underWay.delete(label);
      const spanMs = performance.now() - step.startedMs;
      progress.say(
        spanMs < noticedMs ? `${label}: ready` : `built ${label} in ${formatDuration(spanMs)}`,
      );
      return;
    }
    if (detail.startsWith("Compiling ")) step.crates += 1;
    step.latest = detail.replace("Compiling ", "").replace(/ \(.*/, "").slice(0, 40);
    progress.show(`building ${[...underWay].map(describeStep).join(" | ")}`);
  };
}

/** Describes what is built before anything is measured; undefined if nothing is. */
export function forecastText(
  { binaries, minutes }: BuildForecast,
  cores: number,
): string | undefined {
  if (binaries.length === 0) return undefined;
  const span = minutes === undefined ? "" : ` (about ${Math.ceil(minutes)} min on ${cores} cores)`;
  return `builds first, once: ${binaries.join(", ")}${span}`;
}

function describeStep([label, { startedMs, crates, latest }]: [string, BuildState]): string {
  const spanMs = performance.now() - startedMs;
  const details = [
    ...(crates === 0 ? [] : [plural(crates, "crate")]),
    ...(spanMs < noticedMs ? [] : [formatDuration(spanMs)]),
    ...(latest === "" ? [] : [latest]),
  ];
  return details.length === 0 ? label : `${label}: ${details.join(", ")}`;
}

/**
 * Shows the number of samples done, on a terminal as a bar, and the time left. If the planned number is only a
 * maximum, the time left is not known.
 */
export function sampleProgress(
  progress: Progress,
  planned: number,
  alreadyRecorded: number,
  { isMost }: { readonly isMost: boolean } = { isMost: false },
): (sample: Sample) => void {
  const startedMs = performance.now();
  let done = 0;
  let isPredictable = false;
  const all = plural(planned, "sample");
  return (sample) => {
    done += 1;
    // The first calls are all cold, and take many times as long as those that follow.
    isPredictable ||= sample.phase === "warm" || sample.block > 0;
    const remaining = Math.max(0, planned - alreadyRecorded - done);
    const leftMs = ((performance.now() - startedMs) / done) * remaining;
    const where = `block ${sample.block + 1}, ${sample.cell.id} ${sample.operation} ${sample.phase}`;
    const recorded = alreadyRecorded + done;
    const leftText = isPredictable ? formatDuration(Math.max(1000, leftMs)) : undefined;
    const text = isMost
      ? `${count(recorded)} of at most ${all}`
      : progress.isTerminal
        ? `${barText(recorded / planned)}${leftText === undefined ? "" : `  ${leftText} left`}`
        : `${count(recorded)} of ${all}${leftText === undefined ? "" : `, about ${leftText} left`}`;
    progress.show(progress.isVerbose ? `${text} (${where})` : text);
  };
}

const barCells = 20;

/** Formats `[████████████░░░░░░░░] 62%`, rounded down, so that only the end is 100%. */
function barText(share: number): string {
  const done = Math.min(1, share);
  const filled = Math.floor(done * barCells);
  return `[${"█".repeat(filled)}${"░".repeat(barCells - filled)}] ${Math.floor(done * 100)}%`;
}

/** Shows how many files are done, how many of them had to be downloaded, and the time left. */
export function fileProgress(progress: Progress, files: number): (brought: number) => void {
  const startedMs = performance.now();
  let done = 0;
  return (brought) => {
    done += 1;
    const leftMs = ((performance.now() - startedMs) / done) * (files - done);
    const remaining = formatDuration(Math.max(1000, leftMs));
    progress.show(`${done} of ${files} files, ${brought} fetched, about ${remaining} left`);
  };
}

/** Formats a duration for a reader: 850 ms, 42 s, 3 min 20 s. */
export function formatDuration(spanMs: number): string {
  if (spanMs < 1000) return `${Math.round(spanMs)} ms`;
  const seconds = Math.round(spanMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

// Control characters, and marks that reorder text. Line breaks and tabs are allowed.
const obeyed = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Makes text from any source safe for a terminal. Control characters become JSON escapes, so JSON keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
