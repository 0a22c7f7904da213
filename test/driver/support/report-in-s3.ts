import { S3Client } from "@aws-sdk/client-s3";
import { report } from "../../../lambdas/driver/report.ts";
import type { Plan, Sample } from "../../../lib/contract/types/contract.ts";
import { samplesPath } from "../../../lib/sampler/result-store.ts";
import {
  firstRequestPlan,
  firstRequestSamples,
} from "../../report/support/first-request-fixture.ts";
import { fakePorts } from "../../support/fake-aws/driver-ports.ts";
import { FakeLambda } from "../../support/fake-aws/fake-lambda.ts";
import { FakeS3 } from "../../support/fake-aws/fake-s3.ts";
import { configFor, type FakeRequest, type FakeService } from "../../support/fake-aws/http.ts";

// A process of its own, so that its memory is the report's alone: node report-in-s3.ts <cold starts a
// cell>. Prints one line of JSON.
const requestMs = 30;

/** A run's samples in S3, two objects a trial, made when they are asked for: they take no memory. */
class LargeS3 extends FakeS3 {
  readonly #plan: Plan;
  readonly #keys: readonly string[];
  readonly #templates = new Map<string, readonly Sample[]>();

  constructor(plan: Plan) {
    super();
    this.#plan = plan;
    const [block] = plan.blocks;
    for (const sample of firstRequestSamples({ ...plan, blocks: block ? [block] : [] })) {
      const { id } = sample.cell;
      this.#templates.set(id, [...(this.#templates.get(id) ?? []), sample]);
    }
    const samples = plan.blocks.flatMap(({ index }) =>
      plan.cells.flatMap((cell) =>
        [0, 1].map((sequence) => samplesPath({ cell, block: index }, sequence)),
      ),
    );
    this.#keys = samples.map((path) => `runs/${plan.runId}/${path}`).sort();
    this.objects.set(`runs/${plan.runId}/plan.json`, JSON.stringify(plan));
  }

  override keys(prefix: string): readonly string[] {
    return prefix.endsWith("/samples/") ? this.#keys : super.keys(prefix);
  }

  override respond(request: FakeRequest) {
    const [, , id = "", block = "", sequence] =
      /\/(samples)\/([^/]+)\/(\d+)(?:_(\d+))?\.jsonl$/.exec(request.path) ?? [];
    if (request.method !== "GET" || id === "") return super.respond(request);
    return { status: 200, body: this.#samples(id, Number(block), sequence !== undefined) };
  }

  /** Those of the cell's first trial, with times of this one's own. */
  #samples(id: string, block: number, isLater: boolean): string {
    const trial = this.#templates.get(id) ?? [];
    const hasWarm = this.#plan.blocks[block]?.trials[0]?.warmOrder.length !== 0;
    const some = isLater ? trial.slice(1, hasWarm ? trial.length : 2) : trial.slice(0, 1);
    const factor = 1 + ((block * 7919) % 1000) / 10_000;
    const lines = some.map((sample) => {
      const telemetry = sample.telemetry as NonNullable<Sample["telemetry"]>;
      const durationMs = telemetry.durationMs * factor;
      const result = { ...(sample.result as object), bootId: `${id}-${block}` };
      return JSON.stringify({ ...sample, block, result, telemetry: { ...telemetry, durationMs } });
    });
    return `${lines.join("\n")}\n`;
  }
}

/**
 * Every answer after 30 ms, by a clock of what the processor has worked and of what there was to wait for:
 * a machine that is busy with other things does not move it.
 */
class SlowService implements FakeService {
  readonly #service: FakeService;
  readonly #started = process.cpuUsage();
  readonly #waiting: { readonly dueMs: number; readonly answer: () => void }[] = [];
  #idleMs = 0;
  mostInFlight = 0;

  constructor(service: FakeService) {
    this.#service = service;
  }

  get nowMs(): number {
    const { user, system } = process.cpuUsage(this.#started);
    return (user + system) / 1000 + this.#idleMs;
  }

  async respond(request: FakeRequest) {
    const dueMs = this.nowMs + requestMs;
    await new Promise<void>((answer) => {
      this.#waiting.push({ dueMs, answer });
      this.mostInFlight = Math.max(this.mostInFlight, this.#waiting.length);
      if (this.#waiting.length === 1) setImmediate(() => this.#next());
    });
    return await this.#service.respond(request);
  }

  /** All that the process can do by itself has been done: the first answer comes. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#idleMs += Math.max(0, next.dueMs - this.nowMs);
    next.answer();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}

const plan = firstRequestPlan({
  target: "aws",
  architectures: ["arm64", "x86_64"],
  memoryMb: [128, 256, 512, 1024, 1769, 3008],
  preset: "standard",
  cold: Number(process.argv[2]),
  warm: 480,
});
const names = plan.cells.map(({ id }) => id);
const lambda = new FakeLambda(Object.fromEntries(names.map((name) => [name, {}])));
const s3 = new LargeS3(plan);
const slow = new SlowService(s3);
const ports = { ...fakePorts(lambda), s3: new S3Client(configFor(slow)) };
const cells = names.map((name) => ({ cellId: name, functionName: name }));
await report({ folder: plan.runId, cells, look: {}, failure: {}, cap: {}, spentUsd: 0 }, ports);
const sums = s3.objects.get(`runs/${plan.runId}/SHA256SUMS`) ?? "";
const manifest = JSON.parse(s3.objects.get(`runs/${plan.runId}/manifest.json`) ?? "{}");
console.log(
  JSON.stringify({
    objects: sums.split("\n").filter((line) => line.includes("  samples/")).length,
    samples: manifest.counts.recorded,
    mostInFlight: slow.mostInFlight,
    seconds: slow.nowMs / 1000,
    maxRssMb: process.resourceUsage().maxRSS / 1024,
  }),
);
