// Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.

// Runs one script, and ends. It stands on the inside of a process without any permission: whoever
// started it believes nothing it says but that a script asks for a call, logs a text, or is done.
//
// Every line is one message. In: the script first, then the answers to its calls. Out: `ready`,
// `call`, `log`, `echo` (which comes back), and one of `value` and `error`. Behind `ready`, each line begins with
// the key that came with the script, so that a line of the script's own is no message. What this module
// needs of the language it takes before the script runs, since the script may change all of it.

import { registerHooks, stripTypeScriptTypes } from "node:module";
import { compiled } from "./sandbox.completion.js";

const NAME = "script.ts";

/** What a script finds beside the language itself. */
const KEPT = [
  "AbortController", "AbortSignal", "TextDecoder", "TextEncoder", "URL", "URLSearchParams", "atob",
  "btoa", "clearInterval", "clearTimeout", "queueMicrotask", "setInterval", "setTimeout",
  "structuredClone",
];

/** The language itself; https://tc39.es/ecma262/#sec-global-object. */
const LANGUAGE = [
  "AggregateError", "Array", "ArrayBuffer", "BigInt", "BigInt64Array", "BigUint64Array", "Boolean",
  "DataView", "Date", "Error", "EvalError", "FinalizationRegistry", "Float16Array", "Float32Array",
  "Float64Array", "Function", "Infinity", "Int16Array", "Int32Array", "Int8Array", "Intl", "Iterator",
  "JSON", "Map", "Math", "NaN", "Number", "Object", "Promise", "Proxy", "RangeError",
  "ReferenceError", "Reflect", "RegExp", "Set", "String", "Symbol", "SyntaxError", "TypeError",
  "URIError", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap", "WeakRef",
  "WeakSet", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "eval",
  "globalThis", "isFinite", "isNaN", "parseFloat", "parseInt", "undefined", "unescape",
];

const { apply, ownKeys } = Reflect;
const { create, defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { parse, stringify } = JSON;
const { min } = Math;
const { isArray } = Array;
const AnError = Error;
const APromise = Promise;
const AProxy = Proxy;
const AString = String;
const test = Function.prototype.call.bind(RegExp.prototype.test);
const exec = Function.prototype.call.bind(RegExp.prototype.exec);
const slice = Function.prototype.call.bind(String.prototype.slice);
const indexOf = Function.prototype.call.bind(String.prototype.indexOf);
const lower = Function.prototype.call.bind(String.prototype.toLowerCase);
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const decode = TextDecoder.prototype.decode.bind(new TextDecoder());
const ABytes = Uint8Array;
const getter = (name) =>
  Function.prototype.call.bind(getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), name).get);
const bufferOf = getter("buffer");
const startOf = getter("byteOffset");
const lengthOf = getter("length");
const read = Deno.stdin.read.bind(Deno.stdin);
const write = Deno.stdout.writeSync.bind(Deno.stdout);
const exit = Deno.exit.bind(Deno);
const chunk = new Uint8Array(65536);

let received = "";

/** The key that each line begins with. */
let key = "";

/** Some of the bytes. `subarray` would ask `Symbol.species` for a constructor, which the script may set. */
function part(bytes, from, to) {
  return new ABytes(bufferOf(bytes), startOf(bytes) + from, to - from);
}

/** The next line that came in; null at the end. */
async function line() {
  for (;;) {
    const end = indexOf(received, "\n");
    if (end >= 0) {
      const text = slice(received, 0, end);
      received = slice(received, end + 1);
      return text;
    }
    const count = await read(chunk);
    if (count === null) return null;
    received += decode(part(chunk, 0, count), { stream: true });
  }
}

/** Writes a message of one member, given as JSON, and what stands beside it. */
function tell(kind, text, beside = "") {
  const bytes = encode(`${key}{"${kind}":${text}${beside}}\n`);
  const length = lengthOf(bytes);
  for (let at = 0; at < length;) at += write(part(bytes, at, length));
}

/** A value as JSON, `null` for what has none. */
function written(value) {
  const text = stringify(value);
  return text === undefined ? "null" : text;
}

/** What is said of a value that was thrown: a message, and where in the script. */
function told(thrown) {
  let message = "the script threw a value that cannot be shown";
  let stack = "";
  try {
    const isError = thrown instanceof AnError;
    message = AString(isError ? thrown.message : thrown);
    stack = isError ? AString(thrown.stack) : "";
  } catch {
    // A value may refuse to be shown; the words above stand for it.
  }
  return `{"message":${stringify(slice(message, 0, 4000))}${placed(stack)}}`;
}

let placeOf = (line, column) => [line, column];

const FRAME = /script\.ts(?:, <anonymous>)?:([0-9]{1,7}):([0-9]{1,7})/;

/** Where the innermost part of the script stood, as members of JSON. */
function placed(stack) {
  const found = exec(FRAME, stack);
  if (!found) return "";
  const place = placeOf(+found[1], +found[2]);
  return `,"line":${place[0]},"column":${place[1]}`;
}

const SYNTAX = /^(?:SyntaxError: )?([^\n]*?)(?: at [^ ]*:[0-9]+:[0-9]+)?(?:\n[^]*)?$/;

const UNREAD = /:([0-9]+):([0-9]+)$/;

/**
 * What is said of a text that is no script. The engine only tells where modules are wrong, so it is
 * asked to load one whose only function has the text as its body.
 */
async function unread(text, type, fault) {
  let message = fault.message;
  let before = 0;
  imported = `data:${type},${encodeURIComponent(`async () => {\n${text}\n}`)}`;
  try {
    await import(imported);
  } catch (found) {
    message = found.message;
    before = 1;
  }
  const at = exec(UNREAD, message);
  const said = stringify(exec(SYNTAX, message)[1]);
  return `{"message":${said}${at ? `,"line":${at[1] - before},"column":${+at[2]}` : ""}}`;
}

/** What the run ends with, once the calls that were begun are made; a failure among them counts. */
let end = null;
async function finish(kind, text) {
  const isFirst = end === null;
  if (isFirst || (end.kind === "value" && kind === "error")) end = { kind, text };
  if (!isFirst) return;
  do {
    if (pending > 0) {
      await new APromise((resolve) => {
        made = resolve;
      });
    }
    // The way to the server and back: what waits for something goes on first, and may begin a call.
    await new APromise((resolve) => {
      echoed = resolve;
      tell("echo", "true");
    });
  } while (pending > 0);
  tell(end.kind, end.text);
}

/** The only module that may be loaded, if any. */
let imported = null;

/** Loads no module for a script: not one of Node either, which would widen what it can try. */
function forbidImports() {
  const refusal = new AnError("a script can import nothing");
  // The loader puts the name before the message.
  refusal.name = "";
  registerHooks({
    resolve(specifier, context, next) {
      if (imported !== null && specifier === imported) return next(specifier, context);
      throw refusal;
    },
  });
}

const waiting = create(null);
let calls = 0;
let pending = 0;
let made = () => {};
let echoed = () => {};

/** A method of the SDK: asks for one call, and waits for its result. */
function method(tool) {
  return (given, ...more) => {
    const about = new AnError("");
    const isObject = given === undefined || (typeof given === "object" && given !== null && !isArray(given));
    if (!isObject || more.length > 0) {
      about.message = "a method takes one object of named arguments, such as { id: 1 }";
      throw about;
    }
    const text = given === undefined ? "{}" : written(given);
    const id = ++calls;
    pending++;
    return new APromise((resolve, reject) => {
      waiting[id] = { resolve, reject, about };
      tell("call", stringify(tool), `,"id":${id},"arguments":${text}`);
    });
  };
}

/** An object whose members are found in any case, and which says so if one is missing. */
function forgiving(path, members) {
  const folded = create(null);
  const names = ownKeys(members);
  let all = "";
  for (let at = 0; at < names.length; at++) {
    folded[lower(names[at])] = members[names[at]];
    all += (at ? ", " : "") + names[at];
  }
  return new AProxy(freeze(members), {
    get(_, name) {
      if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
      const found = members[name] ?? folded[lower(name)];
      if (found !== undefined) return found;
      throw new AnError(`there is no \`${path}.${slice(name, 0, 80)}\`; there are: ${slice(all, 0, 1000)}`);
    },
  });
}

/** The SDK: an object of modules of methods. */
function sdk(root, modules) {
  const found = create(null);
  for (const [module, methods] of Object.entries(modules)) {
    const members = create(null);
    for (const [name, tool] of Object.entries(methods)) members[name] = freeze(method(tool));
    found[module] = forgiving(`${root}.${module}`, members);
  }
  return forgiving(root, found);
}

/** A `console` whose texts are messages, up to so many characters. */
function logging(most) {
  let left = most;
  const log = (...given) => {
    if (left <= 0) return;
    let text = "";
    for (let at = 0; at < given.length; at++) {
      text += (at ? " " : "") + (typeof given[at] === "string" ? given[at] : shown(given[at]));
    }
    const kept = slice(text, 0, min(left, text.length));
    left -= kept.length + 1;
    tell("log", stringify(kept));
  };
  return freeze({ log, info: log, warn: log, error: log, debug: log });
}

/** A value as a log shows it. */
function shown(value) {
  try {
    return value instanceof AnError ? AString(value) : written(value);
  } catch {
    return AString(typeof value);
  }
}

/** Takes the answers to calls, as long as there are any. */
async function listen() {
  for (;;) {
    const text = await line();
    // The server is gone, and nobody waits for the script any more.
    if (text === null) exit(1);
    const answer = parse(text);
    if (answer.echo) {
      echoed();
      continue;
    }
    const { resolve, reject, about } = waiting[answer.id];
    delete waiting[answer.id];
    pending--;
    if (!answer.failed) resolve(answer.value);
    else {
      defineProperty(about, "message", { value: answer.value, configurable: true, writable: true });
      reject(about);
    }
    made();
  }
}

/** Leaves of the global object only what a script may find there. */
function strip(kept) {
  for (const name of ownKeys(globalThis)) {
    if (typeof name !== "string" || kept.has(name)) continue;
    if (!delete globalThis[name]) globalThis[name] = undefined;
  }
}

async function run() {
  tell("ready", "true");
  const first = await line();
  if (first === null) return;
  const order = parse(first);
  const { script, root, modules, logs } = order;
  key = order.key;
  const globals = globalThis;
  const rejected = (event) => {
    event.preventDefault();
    finish("error", told(event.reason ?? event.error));
  };
  globals.addEventListener("unhandledrejection", rejected);
  globals.addEventListener("error", rejected);
  const console = logging(logs);
  defineProperty(globals, "console", { value: console, configurable: true, writable: true });
  forbidImports();
  strip(new Set([...KEPT, ...LANGUAGE, "console"]));
  listen();
  let plain;
  let body;
  try {
    plain = stripTypeScriptTypes(script);
    body = compiled(plain, [root], NAME);
  } catch (fault) {
    const [text, type] = plain === undefined ? [script, "application/typescript"] : [plain, "text/javascript"];
    await finish("error", await unread(text, type, fault));
    return;
  }
  placeOf = body.place;
  try {
    await finish("value", written(await apply(body.run, undefined, [sdk(root, modules)])));
  } catch (thrown) {
    await finish("error", told(thrown));
  }
}

await run();
