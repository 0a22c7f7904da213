import type { Sample } from "../lib/contract/types/contract.ts";
import type { BuildStep } from "../lib/toolchain/build-local.ts";

const everyMs = 10_000;
const redrawMs = 200;

/** Progress on stderr: one line redrawn on a terminal, a line every 10 s elsewhere. */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  #lastMs = 0;
  #drawn = false;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** A line that stays. */
  say(text: string): void {
    this.#clear();
    this.#stream.write(`${text}\n`);
  }

  /** Where the work stands now. */
  show(text: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastMs < (this.#stream.isTTY ? redrawMs : everyMs)) return;
    this.#lastMs = nowMs;
    if (!this.#stream.isTTY) return void this.#stream.write(`${text}\n`);
    this.#clear();
    this.#stream.write(text.slice(0, (this.#stream.columns ?? 80) - 1));
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

/** Tells what is being built, and for how long. */
export function buildProgress(progress: Progress): (step: BuildStep) => void {
  const startedMs = new Map<string, number>();
  const latest = new Map<string, string>();
  return ({ label, state, detail }) => {
    if (state === "started") startedMs.set(label, performance.now());
    const tookMs = performance.now() - (startedMs.get(label) ?? 0);
    if (state === "working") latest.set(label, detail ?? "");
    if (state === "done") {
      latest.delete(label);
      progress.say(`built ${label} in ${spelt(tookMs)}`);
      return;
    }
    const doing = [...latest].map(([name, line]) => `${name}: ${line.slice(0, 50)}`).join(" | ");
    progress.show(`building ${doing === "" ? label : doing}`);
  };
}

/** Tells how many samples are done of those planned, and the time that is left. */
export function sampleProgress(
  progress: Progress,
  planned: number,
  alreadyRecorded: number,
): (sample: Sample) => void {
  const startedMs = performance.now();
  let done = 0;
  return (sample) => {
    done += 1;
    const remaining = Math.max(0, planned - alreadyRecorded - done);
    const leftMs = ((performance.now() - startedMs) / done) * remaining;
    const where = `block ${sample.block + 1}, ${sample.cell.id} ${sample.operation} ${sample.phase}`;
    progress.show(
      `${alreadyRecorded + done} of ${planned} samples, about ${spelt(leftMs)} left (${where})`,
    );
  };
}

/** A span of time for a reader: 850 ms, 42 s, 3 min 20 s. */
export function spelt(spanMs: number): string {
  if (spanMs < 1000) return `${Math.round(spanMs)} ms`;
  const seconds = Math.round(spanMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
