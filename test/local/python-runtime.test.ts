import { afterEach, expect, it } from "vitest";
import { type OwnFunction, ownFunction } from "../support/own-function.ts";

const opened: OwnFunction[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

it("a Python function has boto3 as on Lambda, and no package of Kelvin's own", async () => {
  const text = `import importlib.util
names = ["boto3", "psycopg2", "mypy", "pytest", "jsonschema", "ruff", "ziglang", "cargo_lambda"]
def handler(event, context):
    return [name for name in names if importlib.util.find_spec(name) is not None]
`;
  const options = { runtime: "python3.13", handler: "app.handler" };
  const made = await ownFunction({ "app.py": text }, options);
  opened.push(made);
  expect(await made.target.invoke(made.cell, {})).toMatchObject({ payload: ["boto3"] });
});
