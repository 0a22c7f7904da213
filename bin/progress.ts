import type { Sample } from "../lib/contract/types/contract.ts";
import { plural } from "../lib/report/document/format.ts";
import type { BuildForecast, BuildStep } from "../lib/toolchain/build-local.ts";

const everyMs = 10_000;
const redrawMs = 200;

/** Progress on stderr: one line redrawn on a terminal, a line every 10 s elsewhere. */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  #lastMs = Number.NEGATIVE_INFINITY;
  #drawn = false;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** A line that stays. */
  say(text: string): void {
    this.#clear();
    this.#stream.write(`${printable(text)}\n`);
  }

  /** Where the work stands now. */
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

/** A step that takes less found everything built. */
const noticedMs = 1000;

/** What has been seen of one build step. */
interface BuildState {
  readonly startedMs: number;
  crates: number;
  latest: string;
}

/** Tells what is being built, how far it is, and for how long. */
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

/** What is built before anything is measured; undefined where nothing is. */
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
 * Tells how many samples are done of those planned, and the time that is left; where the planned are
 * the most that there may be, of that time nothing is known.
 */
export function sampleProgress(
  progress: Progress,
  planned: number,
  alreadyRecorded: number,
  { isMost }: { readonly isMost: boolean } = { isMost: false },
): (sample: Sample) => void {
  const startedMs = performance.now();
  let done = 0;
  let isTold = false;
  return (sample) => {
    done += 1;
    // The first calls are all cold, and many times as long as those that follow.
    isTold ||= sample.phase === "warm" || sample.block > 0;
    const remaining = Math.max(0, planned - alreadyRecorded - done);
    const leftMs = ((performance.now() - startedMs) / done) * remaining;
    const where = `block ${sample.block + 1}, ${sample.cell.id} ${sample.operation} ${sample.phase}`;
    const of = isMost
      ? `at most ${planned} samples`
      : `${planned} samples${isTold ? `, ${leftText(leftMs)}` : ""}`;
    progress.show(`${alreadyRecorded + done} of ${of} (${where})`);
  };
}

/** Tells how many files are done, how many of them had to be brought, and the time that is left. */
export function fileProgress(progress: Progress, files: number): (brought: number) => void {
  const startedMs = performance.now();
  let done = 0;
  return (brought) => {
    done += 1;
    const leftMs = ((performance.now() - startedMs) / done) * (files - done);
    progress.show(`${done} of ${files} files, ${brought} fetched, ${leftText(leftMs)}`);
  };
}

function leftText(leftMs: number): string {
  return `about ${formatDuration(Math.max(1000, leftMs))} left`;
}

/** A span of time for a reader: 850 ms, 42 s, 3 min 20 s. */
export function formatDuration(spanMs: number): string {
  if (spanMs < 1000) return `${Math.round(spanMs)} ms`;
  const seconds = Math.round(spanMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

// What a terminal would obey, and marks that reorder what is read; line breaks and tabs may stay.
const obeyed = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Text of whatever source as it may stand on a terminal: a control character is written as the escape
 * that JSON has for it, so that JSON stays the same JSON.
 */
export function printable(text: string): string {
  return text.replace(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
