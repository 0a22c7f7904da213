import { InvalidInput } from "../contract/errors.ts";

const networkCodes = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE"];

/**
 * Explains an error of credentials or of the network, which would fail with any AWS service, and says what to do.
 * Returns undefined for any other error of the service.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/CommonErrors.html
 */
export function credentialsProblem(error: unknown, service: string): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  const refused = (what: string, allowed: string) =>
    new InvalidInput("AWS credentials", message, allowed, `${what}: ${message}; ${allowed}`);
  switch (name) {
    case "CredentialsProviderError":
      return refused(
        "no AWS credentials",
        "set AWS_PROFILE (after aws configure or aws sso login), or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      );
    case "ExpiredToken":
    case "ExpiredTokenException":
      return refused("the AWS credentials have expired", "sign in again");
    case "InvalidAccessKeyId":
    case "SignatureDoesNotMatch":
    case "InvalidSignatureException":
    case "UnrecognizedClientException":
    case "InvalidClientTokenId":
      return refused("AWS refused the credentials", "use those of an existing access key");
    default:
      return isNetworkError(error) ? unreachable(error, service) : undefined;
  }
}

/** Node.js leaves the message empty if several addresses were tried: the first one's says which. */
function unreachable(error: Error, service: string): Error {
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return new Error(
    `${service} cannot be reached: ${first.message}; check the region, the network and its proxy, and AWS_ENDPOINT_URL if it is set`,
  );
}

/** Returns whether the request never reached the service. */
export function isNetworkError(error: unknown): boolean {
  const { code, name } = Object(error) as NodeJS.ErrnoException;
  return name === "TimeoutError" || networkCodes.some((known) => known === code);
}
