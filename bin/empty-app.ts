import { App, Stack } from "aws-cdk-lib";
import { stackName } from "../lib/infra/stack-name.ts";

// The CDK deletes a stack by its name: what is in it, CloudFormation knows.
new Stack(new App(), stackName);
