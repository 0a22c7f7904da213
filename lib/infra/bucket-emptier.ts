import { type CfnResource, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { ownLogGroup } from "./own-log-group.ts";
import { projectTag } from "./project-tag.ts";

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
