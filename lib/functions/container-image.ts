import { InvalidInput } from "../contract/errors.ts";
import type { ContainerImage } from "../plan/experiment.ts";

/** Matches references to an image in ECR, or to any image by its digest. */
const imageReference = /\.dkr\.ecr\.|@sha256:/;

/** https://docs.aws.amazon.com/AmazonECR/latest/userguide/docker-pull-ecr-image.html */
const byDigest =
  /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.(amazonaws\.com(?:\.cn)?)\/([a-z0-9._/-]+)@(sha256:[0-9a-f]{64})$/;

/** Returns whether an artefact is a reference to a container image, not a file. */
export function isImageReference(artefact: string): boolean {
  return imageReference.test(artefact);
}

/** Parses REPOSITORY@sha256:DIGEST. Throws InvalidInput for any other reference to an image. */
export function parseImage(name: string, reference: string): ContainerImage {
  const [, account, region = "", domain, repositoryName, digest] = byDigest.exec(reference) ?? [];
  if (repositoryName === undefined || digest === undefined) {
    const allowed =
      "an image in ECR by its digest, ACCOUNT.dkr.ecr.REGION.amazonaws.com/REPOSITORY@sha256:DIGEST: what a tag means may change";
    throw new InvalidInput(`${name}: artefact`, reference, allowed);
  }
  const govCloud = region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
  const partition = domain === "amazonaws.com.cn" ? "aws-cn" : govCloud;
  const repositoryArn = `arn:${partition}:ecr:${region}:${account}:repository/${repositoryName}`;
  return { repositoryArn, repositoryName, digest };
}
