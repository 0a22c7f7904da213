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
  switch (name) {
    case "CredentialsProviderError":
      return new Error(
        `no AWS credentials: ${message}; set AWS_PROFILE (after aws configure or aws sso login), or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
      );
    case "ExpiredToken":
    case "ExpiredTokenException":
      return new Error(`the AWS credentials have expired: ${message}; sign in again`);
    case "InvalidAccessKeyId":
    case "SignatureDoesNotMatch":
    case "InvalidSignatureException":
    case "UnrecognizedClientException":
    case "InvalidClientTokenId":
      return new Error(`AWS refused the credentials: ${message}`);
    default:
      return isNetworkError(error)
        ? new Error(`${service} cannot be reached: ${message}`)
        : undefined;
  }
}

/** Returns whether the request never reached the service. */
export function isNetworkError(error: unknown): boolean {
  const { code, name } = Object(error) as NodeJS.ErrnoException;
  return name === "TimeoutError" || networkCodes.some((known) => known === code);
}
