import type { NetworkProfile } from "../contract/types/contract.ts";

/**
 * Opening a connection takes a round trip of TCP and one of TLS 1.3 (RFC 8446, section 2). 0.7 ms each: the
 * mean of the TCP connections to DynamoDB that were timed within a function (`firstRequest.phasesMs.tcp` of
 * published.json).
 */
const connectMs = 1.4;

/**
 * `lookUpAndConnectMs` includes the lookup of DynamoDB's name: 7.3 ms, the mean of the lookups that were timed within
 * a function (`firstRequest.phasesMs.dnsMean`; 2 to 12 ms). An environment opens one connection. S3 has no such figure.
 */
const lookUpAndConnectMs = 8.7;

/**
 * DynamoDB at its Region's distance. A GetItem and a Query of the SDK for Rust took 2.9 and 2.6 ms on Lambda
 * (`dynamodb.warmSdkCallMs` of published.json). Here they take 1.1 and 1.5 ms without a network, after an idle
 * time as before the calls of a run (means of 180): the client's CPU and the emulated service. The rest of
 * their mean is the network and DynamoDB itself.
 */
export const dynamodbNetwork: NetworkProfile = {
  delayMs: 1.5,
  jitterMs: 0.5,
  connectMs: lookUpAndConnectMs,
};

/** The same for functions that time the steps of a connection by themselves: a lookup would pass for TCP or TLS. */
export const timedConnectionNetwork: NetworkProfile = { ...dynamodbNetwork, connectMs };

/** S3's small requests: `s3Fanout.meanDurationMs` of published.json, serial at 1,024 MB and more, is 18 ms a call. */
export const s3Network: NetworkProfile = { delayMs: 15, jitterMs: 3, connectMs };
