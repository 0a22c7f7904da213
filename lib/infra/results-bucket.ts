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

/** The bucket of the runs: private, TLS only, encrypted, and deleted with the stack unless `keepResults` is set. */
export class ResultsBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { keepResults = false }: ResultsBucketProps) {
    super(scope, id);
    // RETAIN_ON_UPDATE_OR_DELETE still rolls back the bucket of a failed first deploy, which holds no results.
    const policy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
    this.bucket = new Bucket(this, "Bucket", {
      ...privateBucket,
      removalPolicy: keepResults ? policy : RemovalPolicy.DESTROY,
      autoDeleteObjects: !keepResults,
    });
    // The policy that enforces TLS must outlive the stack with the bucket.
    if (keepResults) this.bucket.policy?.applyRemovalPolicy(policy);
  }

  /**
   * Denies the roles all access to the bucket. For a session of a role, aws:PrincipalArn is the role's ARN.
   * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
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

/** CDK's id for the function that implements autoDeleteObjects. */
const provider = "Custom::S3AutoDeleteObjectsCustomResourceProvider";

/**
 * Changes CDK's function that empties the bucket. By default it may write to all log groups and leaves one behind
 * when the stack is destroyed. Here it gets a log group of the stack, may write only to that, and is tagged like the
 * other resources.
 */
export function adoptBucketEmptier(scope: Construct): void {
  const { node } = Stack.of(scope);
  const emptier = node.tryFindChild(provider)?.node;
  if (emptier === undefined) return;
  const handler = emptier.findChild("Handler") as CfnResource;
  const role = emptier.findChild("Role") as CfnResource;
  const logGroup = ownLogGroup(scope, "BucketEmptierLogGroup");
  // CDK does not tag resources defined in plain CloudFormation.
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
