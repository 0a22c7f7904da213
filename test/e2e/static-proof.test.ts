import { beforeAll, describe, expect, it } from "vitest";
import {
  type Finding,
  ignoredRules,
  lintTemplates,
  prepareCfnLint,
} from "../support/cfn-lint/cfn-lint.ts";
import { stackContexts, templateOf } from "../support/stack-contexts.ts";

const contexts = Object.keys(stackContexts);
const properties = { Code: { ZipFile: "" }, Role: "arn:aws:iam::123456789012:role/r" };
const wrong = { ...properties, Handler: "h.h", Runtime: "nodejs12.x", Memory: 128 };
const wrongTemplate = { Resources: { Old: { Type: "AWS::Lambda::Function", Properties: wrong } } };

let findings: ReadonlyMap<string, readonly Finding[]>;

beforeAll(async () => {
  await prepareCfnLint();
  const ours = contexts.map((name) => [name, templateOf(name).toJSON()] as const);
  findings = lintTemplates(new Map([...ours, ["wrong", wrongTemplate]]));
});

describe("cfn-lint", () => {
  it.each(contexts)("finds nothing in the template with %s", (context) => {
    const found = findings.get(context)?.filter(({ rule }) => !(rule in ignoredRules));
    expect(found).toEqual([]);
  });

  it("has nothing of its own left out but what it finds", () => {
    const rules = new Set(findings.get("no context")?.map(({ rule }) => rule));
    expect([...rules].sort()).toEqual(Object.keys(ignoredRules).sort());
  });

  it("would find a property that there is not, and a runtime that is no more", () => {
    const lines = findings
      .get("wrong")
      ?.map(({ line }) => line)
      .join("\n");
    expect(lines).toContain("'Memory' was unexpected");
    expect(lines).toContain("nodejs12.x");
  });
});
