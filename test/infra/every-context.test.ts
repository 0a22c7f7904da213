import { describe, expect, it } from "vitest";
import { deployedRoles } from "../support/iam/deployed-roles.ts";
import { decide } from "../support/iam/policy-evaluator.ts";
import { permissionsOf } from "../support/policy-statements.ts";
import { stackContexts, templateOf } from "../support/stack-contexts.ts";
import { synthTemplate } from "../support/synth.ts";

/** Permissions on all resources, in the format of permissionsOf, with the reason why they cannot be narrower. */
const unscopedPermissions: Readonly<Record<string, string>> = {
  "DriverplanRole: lambda:GetAccountSettings on *":
    "the call is about the account, it takes no resource",
  "firstrequestwarmedRole: dynamodb:ListTables on *":
    "the warm-up call of the variant `warmed`; ListTables takes no resource " +
    "(docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html)",
};

/** Actions with a wildcard, with the reason. */
const wildcardActions: Readonly<Record<string, string>> = {
  "s3:DeleteObject*": "CDK's own grant to the function that empties the bucket, on this bucket",
  "s3:GetBucket*": "CDK's own grant to the function that empties the bucket, on this bucket",
  "s3:List*": "CDK's own grant to the function that empties the bucket, on this bucket",
};

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly Tags?: readonly object[];
    readonly Path?: string;
    readonly PermissionsBoundary?: unknown;
  };
}

const contexts = Object.keys(stackContexts);
const resourcesOf = (context: string): readonly Resource[] =>
  Object.values(templateOf(context).toJSON().Resources);
const rolesIn = (resources: readonly Resource[]) =>
  resources.filter(({ Type }) => Type === "AWS::IAM::Role").map(({ Properties }) => Properties);
const grantsOf = (context: string) =>
  permissionsOf(templateOf(context)).filter((line) => !line.includes(": Deny "));

const taggable = [
  "AWS::DynamoDB::Table",
  "AWS::IAM::Role",
  "AWS::Lambda::Function",
  "AWS::Logs::LogGroup",
  "AWS::S3::Bucket",
  "AWS::StepFunctions::StateMachine",
];

/** What CloudFormation gives no tags, and why. */
const untaggable: Readonly<Record<string, string>> = {
  "AWS::IAM::Policy": "an inline policy is a part of its role",
  "AWS::S3::BucketPolicy": "a part of its bucket",
  "Custom::S3AutoDeleteObjects": "a call of CDK's function, nothing in the account",
};

describe.each(contexts)("the stack with %s", (context) => {
  const resources = resourcesOf(context);

  it("allows nothing on * but what is written down", () => {
    const wide = grantsOf(context).filter((line) => / on \*( |$)/.test(line));
    expect(Object.keys(unscopedPermissions)).toEqual(expect.arrayContaining(wide));
  });

  it("allows no wildcard action but the bucket emptier's, on its bucket", () => {
    const wild = grantsOf(context).filter((line) => /: \S*\*\S* on /.test(line));
    for (const line of wild) {
      expect(line).toMatch(
        / on (Results|s3fanoutobjects)Bucket\.Arn(\/\*)? by CustomS3AutoDelete\w+\.Arn$/,
      );
      expect(Object.keys(wildcardActions)).toContain(/: (\S+) on /.exec(line)?.[1]);
    }
  });

  it("has roles that one service may assume, each for this account alone", () => {
    const { all, account } = deployedRoles(templateOf(context));
    expect(all).toHaveLength(rolesIn(resources).length);
    const services = ["lambda.amazonaws.com", "states.amazonaws.com"];
    for (const { name, trust } of all) {
      const assumableWith = (context: Readonly<Record<string, string>>) => {
        const request = { action: "sts:AssumeRole", resource: "*", context };
        return services.filter((service) => decide(trust(service), request).isAllowed);
      };
      expect(assumableWith({ "aws:SourceAccount": account.id }), name).toHaveLength(1);
      expect(assumableWith({ "aws:SourceAccount": "210987654321" }), name).toEqual([]);
      expect(assumableWith({}), name).toEqual([]);
    }
  });

  it("takes no managed policy", () => {
    expect(grantsOf(context).filter((line) => line.includes("managed policy"))).toEqual([]);
  });

  it("has the project's tag on whatever takes tags", () => {
    for (const { Type, Properties } of resources) {
      if (Type in untaggable) expect(Properties).not.toHaveProperty("Tags");
      else expect(Properties.Tags, Type).toContainEqual({ Key: "project", Value: "kelvin" });
    }
  });

  it("is made of resources of which it is known whether they take tags", () => {
    const types = new Set(resources.map(({ Type }) => Type));
    const known = [...taggable, ...Object.keys(untaggable)];
    expect([...types].filter((type) => !known.includes(type))).toEqual([]);
  });
});

it("the written exceptions are all needed", () => {
  const lines = contexts.flatMap(grantsOf);
  expect(lines).toEqual(expect.arrayContaining(Object.keys(unscopedPermissions)));
  for (const action of Object.keys(wildcardActions)) {
    expect(
      lines.some((line) => line.includes(`: ${action} on `)),
      action,
    ).toBe(true);
  }
  const types = new Set(contexts.flatMap(resourcesOf).map(({ Type }) => Type));
  expect([...types]).toEqual(expect.arrayContaining(Object.keys(untaggable)));
});

it("a stack without conditions of trust has roles that their service may assume without saying for which account", () => {
  const { all } = deployedRoles(synthTemplate({ memory: "128", trustConditions: "none" }));
  for (const { name, trust } of all) {
    const request = { action: "sts:AssumeRole", resource: "*", context: {} };
    const services = ["lambda.amazonaws.com", "states.amazonaws.com"];
    expect(
      services.filter((service) => decide(trust(service), request).isAllowed),
      name,
    ).toHaveLength(1);
  }
});

describe("an account's demands on roles", () => {
  const demanded = rolesIn(resourcesOf("a permissions boundary and a role path"));

  it("bound every role, CDK's own too, by the name of a policy", () => {
    expect(demanded).toHaveLength(15);
    for (const { PermissionsBoundary } of demanded) {
      expect(JSON.stringify(PermissionsBoundary)).toContain(':policy/Boundary"');
    }
  });

  it("bound every role by a policy's ARN as it stands", () => {
    const arn = "arn:aws:iam::123456789012:policy/team/Boundary";
    const bounded = synthTemplate({ memory: "128", permissionsBoundary: arn });
    const roles = rolesIn(Object.values(bounded.toJSON().Resources));
    expect(new Set(roles.map(({ PermissionsBoundary }) => PermissionsBoundary))).toEqual(
      new Set([arn]),
    );
  });

  it("put every role below the path, CDK's own too", () => {
    expect(new Set(demanded.map(({ Path }) => Path))).toEqual(new Set(["/bench/"]));
  });

  it("are none where none are made", () => {
    for (const role of rolesIn(resourcesOf("no context"))) {
      expect(role).not.toHaveProperty("PermissionsBoundary");
      expect(role).not.toHaveProperty("Path");
    }
  });
});
