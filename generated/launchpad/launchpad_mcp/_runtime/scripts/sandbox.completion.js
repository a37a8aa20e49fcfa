// Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.

// The value of a script: its last statement, given back if it is an expression.
//
// Which statement is the last is asked of the engine, not of a grammar of our own: a token begins a
// statement exactly if what stands before it is a whole program, and a label may stand there.

const AsyncFunction = (async () => {}).constructor;

const LABEL = "$last$: ";

/** How many places where a statement may begin are tried, from the end. */
const TRIED = 100;

const HEAD = '"use strict";\n';

/** Lines that stand before the first of a body: two of the constructor's, and the directive. */
const HEAD_LINES = 3;

const WORDS_BEFORE_REGEX = new Set(
  "return typeof instanceof in of new delete void throw case do else await yield".split(" "),
);

const STATEMENT = /^(?:function|class|const|let|var|if|for|while|do|switch|try|throw|return|import|export|break|continue|debugger|async\s+function|with)(?![\p{ID_Continue}$])/u;

const LINE_END = /[\n\r\u2028\u2029]/;

const TOKEN =
  /\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/|"(?:[^"\\\n\r]|\\[^])*"|'(?:[^'\\\n\r]|\\[^])*'|#?[\p{ID_Start}$_\\][\p{ID_Continue}$\u200c\u200d\\]*|\.?[0-9](?:[eE][+-]|[\p{ID_Continue}.])*|=>|\+\+|--|[^]/uy;

const REGEX = /\/(?:[^/\\[\n\r]|\\.|\[(?:[^\]\\\n\r]|\\.)*\])+\/[\p{ID_Continue}$]*/uy;

const TEMPLATE = /(?:[^`\\$]|\\[^]|\$(?!\{))*(`|\$\{)/y;

/** Whether a text is a body of a function. */
function compiles(text) {
  try {
    new AsyncFunction(HEAD + text);
    return true;
  } catch {
    return false;
  }
}

/** The tokens outside of all brackets: where each begins and ends, and its text. */
function tokens(code) {
  const found = [];
  const open = [];
  let at = 0;
  let before = "";
  const matched = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(code);
  };
  while (at < code.length) {
    const begin = at;
    let text = matched(TOKEN)[0];
    if (/^(?:\s|\/\/|\/\*)/.test(text)) {
      at += text.length;
      continue;
    }
    const inTemplate = text === "`" || (text === "}" && open.at(-1) === "`");
    if (text === "/" && !/[\p{ID_Continue}$)\]}"'`]$/u.test(WORDS_BEFORE_REGEX.has(before) ? "" : before)) {
      text = matched(REGEX)?.[0] ?? text;
    }
    at += text.length;
    if (open.length === 0) found.push({ begin, end: at, text });
    if (inTemplate) {
      if (text === "}") open.pop();
      const rest = matched(TEMPLATE);
      if (!rest) return [];
      at += rest[0].length;
      if (rest[1] === "${") open.push("`");
      text = "`";
    } else if ("([{".includes(text)) {
      open.push(text);
    } else if (")]}".includes(text)) {
      open.pop();
    }
    if (open.length === 0 && found.length) found.at(-1).end = at;
    before = text;
  }
  return found;
}

/** Whether a statement may begin where `later` stands: behind the end of one, or on a new line. */
function mayBegin(code, earlier, later) {
  return ";}".includes(code[earlier.end - 1]) || LINE_END.test(code.slice(earlier.end, later.begin));
}

/** Whether a statement begins where `later` stands. */
function begins(code, earlier, later) {
  const prefix = code.slice(0, earlier.end);
  const suffix = code.slice(later.begin);
  if (!compiles(prefix)) return false;
  if (compiles(`${prefix} ${LABEL}${suffix}`)) return true;
  const isOnNewLine = LINE_END.test(code.slice(earlier.end, later.begin));
  return isOnNewLine && compiles(`${prefix}\n${LABEL}${suffix}`) && !compiles(`${prefix} ${suffix}`);
}

/** The last statement of a program, from its first token to its last but semicolons. */
function last(code) {
  const found = tokens(code);
  let end = found.length;
  while (end > 0 && found[end - 1].text === ";") end--;
  if (end === 0) return null;
  const stop = found[end - 1].end;
  let tried = 0;
  for (let at = end - 1; at > 0; at--) {
    if (!mayBegin(code, found[at - 1], found[at])) continue;
    if (begins(code, found[at - 1], found[at])) return { begin: found[at].begin, end: stop };
    if (++tried === TRIED) return null;
  }
  return { begin: found[0].begin, end: stop };
}

/** Where in a script a place of its whole function is. */
const asItIs = (line, column) => [line - HEAD_LINES, column];

/**
 * A function of a script, and the place in the script (line and column from 1) of one in the function,
 * as stack traces count them. Throws `SyntaxError` for what is no script.
 */
export function compiled(code, parameters, name) {
  const source = `\n//# sourceURL=${name}`;
  const whole = () => ({
    run: new AsyncFunction(...parameters, HEAD + code + source),
    place: asItIs,
  });
  const statement = last(code);
  const text = statement ? code.slice(statement.begin, statement.end) : "";
  if (!statement || STATEMENT.test(text)) return whole();
  const before = code.slice(0, statement.begin);
  const lines = before.split(/\r\n|[\n\r\u2028\u2029]/);
  const indent = " ".repeat(lines.at(-1).length);
  // The value stands two lines lower, behind as many columns, so that places are found again.
  const valued = `${before}\nreturn (\n${indent}${text}\n)`;
  const place = (line, column) => {
    const at = line - HEAD_LINES;
    if (at <= lines.length) return [at, column];
    return at === lines.length + 1 ? [lines.length, indent.length + 1] : [at - 2, column];
  };
  try {
    return { run: new AsyncFunction(...parameters, HEAD + valued + source), place };
  } catch {
    return whole();
  }
}
