import { partCount } from "../contract/sample-parts.ts";
import { callCount, type VisitForecast } from "./visit-forecast.ts";

/** What the state Report, and a look of the state Precision, are expected to take at the most. */
export interface ReportForecast {
  /** Of samples, in S3. */
  readonly objects: number;
  readonly samples: number;
  readonly seconds: number;
  readonly memoryMb: number;
}

/**
 * On one vCPU, rounded up from test/e2e/large-run.test.ts: an object is 30 ms of which 32 go on at the
 * same time, and the SDK's work on it; a sample is parsed; a visit is an environment that the bootstrap
 * draws from.
 */
const model = {
  msPerObject: 3,
  msPerSample: 0.1,
  msPerVisit: 2,
  baseMs: 20_000,
  kbPerObject: 2,
  kbPerSample: 0.4,
  kbPerVisit: 2,
  baseMb: 400,
};

/** Between the starts of two calls at the most, beside what they bill: the way there and back, or a pause. */
const msBetweenCalls = 100;

export function reportForecast(visits: readonly VisitForecast[]): ReportForecast {
  let objects = 0;
  let samples = 0;
  for (const visit of visits) {
    const calls = callCount(visit);
    samples += calls;
    objects += partCount(calls, billedMs(visit) + calls * msBetweenCalls);
  }
  const { msPerObject, msPerSample, msPerVisit, kbPerObject, kbPerSample, kbPerVisit } = model;
  const ms = objects * msPerObject + samples * msPerSample + visits.length * msPerVisit;
  const kb = objects * kbPerObject + samples * kbPerSample + visits.length * kbPerVisit;
  const seconds = (model.baseMs + ms) / 1000;
  return { objects, samples, seconds, memoryMb: model.baseMb + kb / 1024 };
}

function billedMs({ calls }: VisitForecast): number {
  return calls.reduce((sum, { count, billedDurationMs }) => sum + count * billedDurationMs, 0);
}
