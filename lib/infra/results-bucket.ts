import { type CfnResource, RemovalPolicy, Stack } from "aws-cdk-lib";
import { AnyPrincipal, Effect, type IRole, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { ownLogGroup, privateBucket, projectTag } from "./own-resources.ts";

interface ResultsBucketProps {
  /**
   * Whether the results outlive the stack.
   * @default false
   */
  readonly keepResults?: boolean;
}

/** The bucket of the runs: private, TLS only, encrypted; deleted with the stack unless it is to be kept. */
export class ResultsBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { keepResults = false }: ResultsBucketProps) {
    super(scope, id);
    // A bucket of a first deploy that failed holds no results: it is rolled back all the same.
    const kept = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
    this.bucket = new Bucket(this, "Bucket", {
      ...privateBucket,
      removalPolicy: keepResults ? kept : RemovalPolicy.DESTROY,
      autoDeleteObjects: !keepResults,
    });
    // The policy that demands TLS has to outlive the stack with the bucket.
    if (keepResults) this.bucket.policy?.applyRemovalPolicy(kept);
  }

  /**
   * Whatever the roles may do elsewhere: here nothing. A session of a role has the role's ARN for its
   * principal's: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
   */
  keepFrom(roles: readonly IRole[]): void {
    const arns = [...new Set(roles.map(({ roleArn }) => roleArn))];
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ["s3:*"],
        resources: [this.bucket.bucketArn, this.bucket.arnForObjects("*")],
        conditions: { ArnEquals: { "aws:PrincipalArn": arns } },
      }),
    );
  }
}

/** CDK's id of the function behind autoDeleteObjects. */
const provider = "Custom::S3AutoDeleteObjectsCustomResourceProvider";

/**
 * CDK's function that empties the bucket has no log group of its own and may write to all: it would
 * leave one behind when the stack is destroyed. It gets one of the stack's, may write to that only, and
 * is tagged as the rest is.
 */
export function adoptBucketEmptier(scope: Construct): void {
  const { node } = Stack.of(scope);
  const emptier = node.tryFindChild(provider)?.node;
  if (emptier === undefined) return;
  const handler = emptier.findChild("Handler") as CfnResource;
  const role = emptier.findChild("Role") as CfnResource;
  const logGroup = ownLogGroup(scope, "BucketEmptierLogGroup");
  // CDK's tags pass over resources that are made of plain CloudFormation.
  for (const resource of [handler, role]) {
    resource.addPropertyOverride("Tags", [{ Key: projectTag.key, Value: projectTag.value }]);
  }
  handler.addPropertyOverride("LoggingConfig", { LogGroup: logGroup.logGroupName });
  role.addPropertyDeletionOverride("ManagedPolicyArns");
  role.addPropertyOverride("Policies", [
    {
      PolicyName: "WriteOwnLog",
      PolicyDocument: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
            Resource: logGroup.logGroupArn,
          },
        ],
      },
    },
  ]);
}
