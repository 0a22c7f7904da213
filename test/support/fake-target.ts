import type { Cell, ForcedCold } from "../../lib/contract/types/contract.ts";
import type { Invocation, MeasuredEvent, Target } from "../../lib/sampler/target.ts";

/** Returns the fake's answer, given the default one. */
export type Script = (
  call: {
    readonly cell: Cell;
    readonly operation: string;
    readonly invocation: number;
    readonly boot: number;
  },
  answer: Invocation,
) => Invocation;

const startEpochMs = Date.UTC(2026, 0, 1);

/** A Target in memory with a new boot for every environment and deterministic answers. */
export class FakeTarget implements Target {
  readonly kind: Target["kind"];
  readonly calls: string[] = [];
  readonly events: MeasuredEvent[] = [];
  readonly #script: Script;
  readonly #boots = new Map<string, number>();
  readonly #invocations = new Map<string, number>();
  #count = 0;

  constructor(script: Script = (_, answer) => answer, kind: Target["kind"] = "fake") {
    this.#script = script;
    this.kind = kind;
  }

  async forceCold(cell: Cell): Promise<ForcedCold | undefined> {
    this.calls.push(`forceCold ${cell.id}`);
    this.#boots.set(cell.id, (this.#boots.get(cell.id) ?? 0) + 1);
    this.#invocations.set(cell.id, 0);
    return undefined;
  }

  async invoke(cell: Cell, event: MeasuredEvent): Promise<Invocation> {
    const { operation } = event;
    this.events.push(event);
    this.calls.push(`${operation} ${cell.id}`);
    const invocation = this.#invocations.get(cell.id) ?? 0;
    const boot = this.#boots.get(cell.id) ?? 0;
    this.#invocations.set(cell.id, invocation + 1);
    this.#count += 1;
    const durationMs = 5 + (this.#count % 7) / 10;
    const answer: Invocation = {
      requestId: `request-${this.#count}`,
      startedAt: new Date(startEpochMs + this.#count * 1000).toISOString(),
      clientLatencyMs: durationMs + 2,
      telemetry: {
        durationMs,
        billedDurationMs: Math.ceil(durationMs + (invocation === 0 ? 100 : 0)),
        memorySizeMb: cell.memoryMb,
        maxMemoryUsedMb: 30,
        ...(invocation === 0 && { initDurationMs: 100 }),
      },
      payload: {
        operation,
        runtime: cell.runtime.startsWith("python") ? "python" : "rust",
        runtimeVersion: "1.95.0",
        variant: cell.variant,
        durationMs: durationMs - 1,
        sdkCallMs: durationMs - 2,
        itemsCount: 1,
        bootId: `${cell.id}-boot-number-${boot}`,
        coldStart: invocation === 0,
        invocation,
      },
    };
    return this.#script({ cell, operation, invocation, boot }, answer);
  }
}
