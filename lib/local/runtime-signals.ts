import type { Socket } from "node:net";
import type { RuntimeListener } from "./runtime-api.ts";

/** A Signal is an event that an environment waits for. */
export type Signal =
  | { readonly kind: "next"; readonly atMs: number }
  | { readonly kind: "init-error"; readonly body: Buffer }
  | { readonly kind: "exit"; readonly how: string }
  | { readonly kind: "timeout" };

interface Answer {
  readonly requestId: string;
  readonly body: string;
  readonly failed: boolean;
  /** Arrival of a streamed response's first byte, by this machine's monotonic clock. */
  readonly firstByteMs?: number;
}

/** RuntimeSignals queues what the Runtime API reports. Each signal is delivered once, and may arrive before `wait`. */
export class RuntimeSignals implements RuntimeListener {
  /** Whether the other end is a process of the environment; false until the environment sets this. */
  isOwn: (socket: Socket) => Promise<boolean> = async () => false;
  refused: () => void = () => {};
  /** The response to the last event. */
  answer: Answer | undefined;
  #onSignal: ((signal: Signal) => void) | undefined;
  readonly #early: Signal[] = [];

  add(signal: Signal): void {
    const deliver = this.#onSignal;
    this.#onSignal = undefined;
    if (deliver === undefined) this.#early.push(signal);
    else deliver(signal);
  }

  wait(timeoutMs: number): Promise<Signal> {
    const early = this.#early.shift();
    if (early !== undefined) return Promise.resolve(early);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.add({ kind: "timeout" }), timeoutMs);
      this.#onSignal = (signal) => {
        clearTimeout(timer);
        resolve(signal);
      };
    });
  }

  next(atMs: number): void {
    this.add({ kind: "next", atMs });
  }

  initError(body: Buffer): void {
    this.add({ kind: "init-error", body });
  }

  response(requestId: string, body: Buffer, firstByteMs?: number): void {
    const streamed = firstByteMs === undefined ? {} : { firstByteMs };
    this.answer = { requestId, body: body.toString("utf8"), failed: false, ...streamed };
  }

  invocationError(requestId: string, body: Buffer): void {
    this.answer = { requestId, body: body.toString("utf8"), failed: true };
  }
}
