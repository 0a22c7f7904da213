import { beforeAll, describe, expect, it } from "vitest";
import { ignoredRules, lintTemplate, prepareCfnLint } from "../support/cfn-lint/cfn-lint.ts";
import { stackContexts, templateOf } from "../support/stack-contexts.ts";

beforeAll(prepareCfnLint);

describe("cfn-lint", () => {
  it.each(Object.keys(stackContexts))("finds nothing in the template with %s", (context) => {
    expect(lintTemplate(templateOf(context).toJSON())).toBe("");
  });

  it("is told to leave out only what it would find", () => {
    const all = lintTemplate(templateOf("no context").toJSON(), []);
    const rules = new Set(all.match(/\b[EWI]\d{4}\b/g));
    expect([...rules].sort()).toEqual(Object.keys(ignoredRules).sort());
  });

  it("would find a property that there is not, and a runtime that is no more", () => {
    const properties = { Code: { ZipFile: "" }, Role: "arn:aws:iam::123456789012:role/r" };
    const wrong = { ...properties, Handler: "h.h", Runtime: "nodejs12.x", Memory: 128 };
    const lines = lintTemplate({
      Resources: { Old: { Type: "AWS::Lambda::Function", Properties: wrong } },
    });
    expect(lines).toContain("'Memory' was unexpected");
    expect(lines).toContain("nodejs12.x");
  });
});
