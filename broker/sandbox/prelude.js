// All that a script finds besides the language: a frozen `canvas`, a frozen `console` and a seeded Math.random.
//
// The value of this file is a function that takes the limits and gives `begin(job)`, which starts a script and gives
// `finish()`, which tells as JSON text what came of it, once no promise job is left. What is needed later is taken from the
// globals now: a script may replace any of them, and then must fool only itself. Texts that cross to the host are put together
// from strings only, because an object would consult Object.prototype; and by `join`, because a long `+` makes a rope, which
// the engine's binding cannot hand over.
(function (operations, consoleChars, argumentChars, resultChars, errorChars) {
  "use strict";
  const { __ask: ask, __tell: tell } = globalThis;
  delete globalThis.__ask;
  delete globalThis.__tell;
  // What one engine has and another lacks, and is no ECMAScript: a script must not come to need it.
  for (const name of ["queueMicrotask", "performance", "DOMException", "atob", "btoa", "__date_clock"]) delete globalThis[name];
  // The first would hand a script the functions of this file that are on the stack.
  for (const name of ["prepareStackTrace", "captureStackTrace", "stackTraceLimit"]) delete Error[name];

  const free = (method) => Function.prototype.call.bind(method);
  const slice = free(String.prototype.slice);
  const join = free(Array.prototype.join);
  const then = free(Promise.prototype.then);
  const sourceOf = free(Function.prototype.toString);
  const { stringify, parse } = JSON;
  const { freeze, defineProperty } = Object;
  const { imul } = Math;
  const AnyError = Error;
  const AnySyntaxError = SyntaxError;
  const text = String;
  const AsyncFunction = (async () => {}).constructor;

  const UNSETTLED = '["unsettled"]';
  const OUT_OF_MEMORY = '["threw","InternalError","out of memory",null]';

  // One call of the host. What JSON cannot say (undefined, a function) goes as null; circles and BigInt throw a TypeError.
  // A text over the limit is cut to one more than the limit, which the host's side of this process refuses: nothing larger
  // need cross.
  function request(operation, args = {}) {
    const json = stringify(args);
    if (json === undefined) return parse(ask(operation, "null"));
    return parse(ask(operation, json.length > argumentChars ? slice(json, 0, argumentChars + 1) : json));
  }

  function shown(value) {
    try {
      if (typeof value === "string") return value;
      if (value instanceof AnyError) return text(value);
      const json = stringify(value);
      return json === undefined ? text(value) : json;
    } catch {
      return "[unprintable]";
    }
  }

  // Lines leave at once, so that a run which is stopped has still said what it said. One unit more than fits is sent, to
  // let the host see that something was cut.
  let consoleRoom = consoleChars + 1;
  function say(...values) {
    if (consoleRoom <= 0) return;
    let line = "";
    for (let i = 0; i < values.length; i++) line += (i ? " " : "") + shown(values[i]);
    line = slice(line, 0, consoleRoom);
    consoleRoom -= line.length + 1;
    tell(stringify(line));
  }

  function publish(name, methods) {
    const value = {};
    for (const method of Object.keys(methods)) value[method] = freeze(methods[method]);
    defineProperty(globalThis, name, { value: freeze(value), enumerable: false });
  }

  // Drawing helpers are one `render` of shapes each: lines join what they meet, and nothing has to be drawn by hand.
  const shapes = (list) => request("render", { at: [0, 0], format: "shapes", source: stringify(list) });
  const shape = (type) => (args) => shapes([{ ...args, type }]);
  const helpers = {
    measure: (text) => request("measure", { text }),
    shapes,
    box: ({ at, size, ...rest } = {}) =>
      shapes([{ ...rest, type: "box", ...(size ? { rect: [at?.[0], at?.[1], size[0], size[1]] } : { at }) }]),
    line: shape("line"),
    arrow: shape("arrow"),
    text: shape("text"),
    table: shape("table"),
  };
  const plain = parse(operations).map((name) => [name, (args) => request(name, args)]);
  publish("canvas", { ...Object.fromEntries(plain), ...helpers });
  publish("console", { log: say, info: say, warn: say, error: say, debug: say });

  // mulberry32: 32 bits of state are enough for drawings that must come out the same again, and for nothing secret.
  function seeded(state) {
    return function random() {
      state = (state + 0x6d2b79f5) | 0;
      let bits = imul(state ^ (state >>> 15), 1 | state);
      bits = (bits + imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
      return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
    };
  }

  // A body such as `}); f(); (() => {` compiles too, but to a function whose source is not the whole text.
  function compiled(script) {
    const body = new AsyncFunction(script);
    if (sourceOf(body) !== "async function anonymous(\n) {\n" + script + "\n}") {
      throw new AnySyntaxError("the script must be the body of one function; a brace in it closes too much");
    }
    return body;
  }

  function field(error, name) {
    try {
      const value = error[name];
      return typeof value === "string" ? stringify(cut(value)) : "null";
    } catch {
      return "null";
    }
  }

  function cut(string) {
    return string.length > errorChars ? slice(string, 0, errorChars) + "…" : string;
  }

  // Reading a hostile error may run the script's own getters; they stand under the same deadline. If even this fails, there
  // was no memory for a few short strings.
  function threw(error, about = "") {
    try {
      const message = field(error, "message");
      const said = message === "null" ? stringify(cut(shown(error))) : message;
      const fields = [field(error, "name"), stringify(about + parse(said)), field(error, "stack")];
      return join(['["threw",', join(fields, ","), "]"], "");
    } catch {
      return OUT_OF_MEMORY;
    }
  }

  function returned(value) {
    try {
      const json = stringify(value);
      if (json === undefined) return '["done",null,false]';
      return json.length > resultChars ? '["done",null,true]' : join(['["done",', json, ",false]"], "");
    } catch (error) {
      return threw(error, "the result cannot be told as JSON: ");
    }
  }

  return function begin(job) {
    let finish = () => UNSETTLED;
    const fail = (error) => {
      const report = threw(error);
      finish = () => report;
    };
    try {
      const { script, seed } = parse(job);
      Math.random = seeded(seed);
      then(compiled(script)(), (value) => { finish = () => returned(value); }, fail);
    } catch (error) {
      fail(error);
    }
    return () => finish();
  };
})
