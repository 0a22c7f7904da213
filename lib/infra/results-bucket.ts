import { RemovalPolicy } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";

export interface ResultsBucketProps {
  /**
   * Whether the results outlive the stack.
   * @default false
   */
  readonly keepResults?: boolean;
}

/** Where the runs lie: private, over TLS only, encrypted; gone with the stack unless it is to be kept. */
export class ResultsBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { keepResults = false }: ResultsBucketProps) {
    super(scope, id);
    // What a first deploy made before it failed holds no results: that is rolled back all the same.
    const kept = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
    this.bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: keepResults ? kept : RemovalPolicy.DESTROY,
      autoDeleteObjects: !keepResults,
    });
    // What demands TLS has to outlive the stack with the bucket.
    if (keepResults) this.bucket.policy?.applyRemovalPolicy(kept);
  }
}
