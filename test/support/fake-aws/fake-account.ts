import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { IAMClient } from "@aws-sdk/client-iam";
import { S3Client } from "@aws-sdk/client-s3";
import { SFNClient } from "@aws-sdk/client-sfn";
import { SSMClient } from "@aws-sdk/client-ssm";
import { STSClient } from "@aws-sdk/client-sts";
import type { AccountClients } from "../../../lib/aws/deployed-stack.ts";
import { FakeSsm, FakeUploads, fakeSts } from "./fake-bootstrap.ts";
import { FakeCloudFormation } from "./fake-cloud-formation.ts";
import { FakeIam } from "./fake-iam.ts";
import { FakeS3 } from "./fake-s3.ts";
import { FakeStepFunctions } from "./fake-step-functions.ts";
import { configFor } from "./http.ts";

export const stateMachineArn = "arn:aws:states:us-east-1:123456789012:stateMachine:Conductor";
const page = "https://us-east-1.console.aws.amazon.com/states/home?region=us-east-1";

/** A bootstrapped account that contains the stack Kelvin, with clients for it. */
export interface FakeAccount {
  readonly clients: AccountClients;
  readonly cloudFormation: FakeCloudFormation;
  readonly stepFunctions: FakeStepFunctions;
  readonly s3: FakeS3;
  readonly iam: FakeIam;
  readonly ssm: FakeSsm;
  /** The bucket of the bootstrap, whatever its qualifier. */
  readonly uploads: FakeUploads;
  /** The roles that its objects were deleted as. */
  readonly roles: readonly string[];
  /** Has the execution's run hold the stack. */
  takeLock(execution: string, runId: string): void;
}

export function fakeAccount(): FakeAccount {
  const cloudFormation = new FakeCloudFormation();
  const outputs = {
    StateMachine: `${page}#/statemachines/view/${stateMachineArn}`,
    ResultsBucket: "results",
  };
  cloudFormation.stacks.set("Kelvin", { outputs });
  const stepFunctions = new FakeStepFunctions();
  const s3 = new FakeS3();
  const iam = new FakeIam();
  const ssm = new FakeSsm();
  const uploads = new FakeUploads();
  const roles: string[] = [];
  const clients = {
    cloudFormation: new CloudFormationClient(configFor(cloudFormation)),
    stepFunctions: new SFNClient(configFor(stepFunctions)),
    s3: new S3Client(configFor(s3)),
    iam: new IAMClient(configFor(iam)),
    ssm: new SSMClient(configFor(ssm)),
    sts: new STSClient(configFor(fakeSts)),
    s3As: (role: string) => {
      roles.push(role);
      return new S3Client(configFor(uploads));
    },
  };
  const takeLock = (execution: string, runId: string) => {
    const holder = { execution, runId, since: "2026-01-01T00:00:00.000Z" };
    s3.objects.set("lock.json", JSON.stringify(holder));
  };
  return { clients, cloudFormation, stepFunctions, s3, iam, ssm, uploads, roles, takeLock };
}
