import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

const page = readFileSync(join(projectPaths.root, "docs/deploying.md"), "utf8");
interface PagePolicy {
  readonly Statement: readonly { readonly Action: string | readonly string[] }[];
}
const [needed = [], optional = []] = [...page.matchAll(/```json\n(\{\n {2}"Version"[\s\S]*?)```/g)]
  .map(([, json = ""]) => JSON.parse(json) as PagePolicy)
  .map(({ Statement }) => Statement.flatMap(({ Action }) => Action));

/** The modules of lib/aws that the drivers alone use: what they call is in their roles. */
const ofDrivers = ["function-environment", "lambda-target", "log-telemetry", "seed-data"];
/** Of kelvin import, whose permission docs/data.md and its help name. */
const others = ["log-group"];
/** What a driver writes is in modules that commands read with; --apply alone changes a function. */
const leftOut = [
  ...["s3:PutObject", "lambda:UpdateFunctionConfiguration"],
  // Uploads are deleted as the bootstrap's role that made them.
  ...["s3:ListObjectVersions", "s3:DeleteObjects"],
];

const services: Readonly<Record<string, string>> = {
  "client-cloudformation": "cloudformation",
  "client-dynamodb": "dynamodb",
  "client-iam": "iam",
  "client-lambda": "lambda",
  "client-pricing": "pricing",
  "client-s3": "s3",
  "client-sfn": "states",
  "client-ssm": "ssm",
  "client-sts": "sts",
};
/** Where IAM's action has another name: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html */
const renamed: Readonly<Record<string, string>> = { "s3:ListObjectsV2": "s3:ListBucket" };

/** The actions behind the SDK's commands and paginators that a module imports. */
function actionsOf(text: string): readonly string[] {
  const imports = text.matchAll(/import (?:type )?\{([^}]*)\} from "@aws-sdk\/([\w-]+)"/g);
  return [...imports].flatMap(([, names = "", client = ""]) =>
    [...names.matchAll(/\b(?:paginate(\w+)|(\w+)Command)\b(?!Output)/g)].map(
      ([, paged, command]) => `${services[client]}:${paged ?? command}`,
    ),
  );
}

const folders = ["lib/aws", "bin", "bin/commands", "bin/run"].map((name) =>
  join(projectPaths.root, name),
);
const modules = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .filter((name) => ![...ofDrivers, ...others].includes(name.replace(".ts", "")))
    .map((name) => readFileSync(join(folder, name), "utf8")),
);
const called = [...new Set(modules.flatMap(actionsOf).map((action) => renamed[action] ?? action))];

it("the policies for callers allow every call that the commands make, and no other", () => {
  expect(called.length).toBeGreaterThan(8);
  const ofCommands = called.filter((action) => !leftOut.includes(action));
  // GetFunction returns tags to those who may list them.
  const others = ["sts:AssumeRole", "lambda:ListTags"];
  expect([...new Set([...ofCommands, ...others])].sort()).toEqual([...needed, ...optional].sort());
});

it("what reads roles and tags is optional", () => {
  expect(optional.filter((action) => !/^(iam|lambda):/.test(action))).toEqual([]);
  expect(needed.filter((action) => /^iam:|ListTags/.test(action))).toEqual([]);
});
