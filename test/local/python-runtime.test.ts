import { expect, it } from "vitest";
import { ownFunction } from "../support/own-function.ts";

it("a Python function has boto3 as on Lambda, and no package of Kelvin's own", async () => {
  const text = `import importlib.util
names = ["boto3", "psycopg2", "mypy", "pytest", "jsonschema", "ruff", "ziglang", "cargo_lambda"]
def handler(event, context):
    return [name for name in names if importlib.util.find_spec(name) is not None]
`;
  const options = { runtime: "python3.13", handler: "app.handler" };
  const { target, cell } = await ownFunction({ "app.py": text }, options);
  expect(await target.invoke(cell, {})).toMatchObject({ payload: ["boto3"] });
});
