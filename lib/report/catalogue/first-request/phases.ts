import type { QuantityName } from "../../collect/quantities.ts";
import { publishedPhases } from "./published.ts";

/** A part of the breakdown's cold start, in the order in which they happen. */
export interface BreakdownPhase {
  readonly key: string;
  readonly label: string;
  readonly quantity: QuantityName;
  readonly publishedMeanMs?: number;
  readonly publishedRunsMs?: readonly number[];
}

const of = publishedPhases;

export const breakdownPhases: readonly BreakdownPhase[] = [
  {
    key: "init",
    label: "Init",
    quantity: "initDurationMs",
    publishedMeanMs: of.initDurationMean,
    publishedRunsMs: of.initDuration,
  },
  {
    key: "firstDns",
    label: "DNS, first connection",
    quantity: "own.firstDnsMs",
    publishedMeanMs: of.dnsMean,
    publishedRunsMs: of.dns,
  },
  {
    key: "firstTcp",
    label: "TCP, first connection",
    quantity: "own.firstTcpMs",
    publishedMeanMs: of.tcpMean,
    publishedRunsMs: of.tcp,
  },
  {
    key: "firstTls",
    label: "TLS, first connection",
    quantity: "own.firstTlsMs",
    publishedMeanMs: of.tlsMean,
    publishedRunsMs: of.tls,
  },
  {
    key: "firstConnection",
    label: "First connection in all",
    quantity: "own.firstConnectionMs",
    publishedMeanMs: of.manualTotalMean,
    publishedRunsMs: of.manualTotal,
  },
  { key: "secondDns", label: "DNS, second connection", quantity: "own.secondDnsMs" },
  { key: "secondTcp", label: "TCP, second connection", quantity: "own.secondTcpMs" },
  { key: "secondTls", label: "TLS, second connection", quantity: "own.secondTlsMs" },
  {
    key: "secondConnection",
    label: "Second connection in all",
    quantity: "own.secondConnectionMs",
  },
  {
    key: "sdkCall",
    label: "First SDK call",
    quantity: "sdkCallMs",
    publishedMeanMs: of.sdkFirstCallMean,
    publishedRunsMs: of.sdkFirstCall,
  },
  {
    key: "duration",
    label: "First Duration",
    quantity: "durationMs",
    publishedMeanMs: of.lambdaDurationMean,
    publishedRunsMs: of.lambdaDuration,
  },
];
