import type { NetworkProfile } from "../contract/types/contract.ts";

/**
 * Time of one round trip of TCP and one of TLS 1.3 (RFC 8446, section 2), which open a connection. 0.7 ms each: the
 * mean of the TCP connections to DynamoDB timed within a function (`firstRequest.phasesMs.tcp` of published.json).
 */
const connectMs = 1.4;

/**
 * Same as connectMs, including the DNS lookup of DynamoDB's name: 7.3 ms, the mean of the lookups timed within a
 * function (`firstRequest.phasesMs.dnsMean`; 2 to 12 ms). An environment opens one connection. There is no such
 * figure for S3.
 */
const lookUpAndConnectMs = 8.7;

/**
 * DynamoDB in the same Region. A GetItem and a Query of the SDK for Rust took 2.9 and 2.6 ms on Lambda
 * (`dynamodb.warmSdkCallMs` of published.json). Locally they take 1.1 and 1.5 ms without a network, after the idle
 * time between a run's calls (means of 180): the client's CPU and the emulated service. The difference of their means
 * is the network and DynamoDB itself.
 */
export const dynamodbNetwork: NetworkProfile = {
  delayMs: 1.5,
  jitterMs: 0.5,
  connectMs: lookUpAndConnectMs,
};

/** Same as dynamodbNetwork without the lookup, whose delay would count as TCP or TLS if a function times these. */
export const timedConnectionNetwork: NetworkProfile = { ...dynamodbNetwork, connectMs };

/** Small requests to S3: `s3Fanout.meanDurationMs` of published.json, serial at 1,024 MB and more, is 18 ms per call. */
export const s3Network: NetworkProfile = { delayMs: 15, jitterMs: 3, connectMs };
