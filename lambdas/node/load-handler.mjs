// Finds and loads a handler as Lambda's Node.js runtimes do, with the same errors.
// https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isStreaming } from "./response-stream.mjs";

/** Creates an error of the runtime itself, with Lambda's name for it. */
function runtimeError(type, message, cause) {
  const error = new Error(message);
  error.name = `Runtime.${type}`;
  if (cause?.stack !== undefined) error.stack = cause.stack;
  return error;
}

/**
 * Returns the function that a handler names: `index.handler`, `src/index.handler`, or a nested export,
 * `index.api.handler`. Throws an error named Runtime.* if there is none.
 */
export async function loadHandler(taskRoot, name = "") {
  if (name.includes("..")) {
    const remedy = "Use absolute paths when specifying root directories in handler names.";
    throw runtimeError("MalformedHandlerName", `'${name}' is not a valid handler name. ${remedy}`);
  }
  const file = basename(name);
  const folder = name.slice(0, name.length - file.length);
  const [, module, path] = /^([^.]*)\.(.*)$/.exec(file) ?? [];
  if (!module || !path) throw runtimeError("MalformedHandlerName", "Bad handler");
  const loaded = await loadModule(resolve(taskRoot, folder, module), join(folder, module));
  const handler = path.split(".").reduce((value, key) => value?.[key], loaded);
  if (handler === undefined || handler === null) {
    throw runtimeError("HandlerNotFound", `${name} is undefined or not exported`);
  }
  if (typeof handler !== "function") {
    throw runtimeError("HandlerNotFound", `${name} is not a function`);
  }
  if (handler.length > 2 && !isStreaming(handler) && !hasCallbacks()) {
    throw runtimeError("CallbackHandlerDeprecated", callbackRemoved);
  }
  return handler;
}

/**
 * From nodejs24.x on, Lambda refuses a handler that declares a callback as its third parameter.
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html
 */
function hasCallbacks() {
  const [, major] = /nodejs(\d+)\.x$/.exec(process.env.AWS_EXECUTION_ENV ?? "") ?? [];
  return major === undefined || Number(major) < 24;
}

const callbackRemoved =
  "Lambda has no callback-based handlers from Node.js 24 on: make the handler async, with the parameters event and context alone";

async function loadModule(path, name) {
  try {
    if (existsSync(`${path}.js`)) {
      return isModulePackage(dirname(path)) ? await load(`${path}.js`) : required(`${path}.js`);
    }
    if (existsSync(`${path}.mjs`)) return await load(`${path}.mjs`);
    if (existsSync(`${path}.cjs`)) return required(`${path}.cjs`);
    return required(path);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw runtimeError("UserCodeSyntaxError", error.toString(), error);
    }
    if (["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"].includes(error?.code)) {
      throw runtimeError("ImportModuleError", missing(error, path, name), error);
    }
    throw error;
  }
}

/** Names the handler's own module as the handler does; other modules keep Node.js' name. */
function missing(error, path, name) {
  return error.toString().replace(`'${path}'`, `'${name}'`);
}

async function load(path) {
  return await import(pathToFileURL(path).href);
}

function required(path) {
  return createRequire(`${dirname(path)}/`)(path);
}

/** Returns whether the nearest package.json makes it a module, as Node.js decides. */
function isModulePackage(folder) {
  const file = join(folder, "package.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")).type === "module";
  const above = dirname(folder);
  return above !== folder && basename(folder) !== "node_modules" && isModulePackage(above);
}
