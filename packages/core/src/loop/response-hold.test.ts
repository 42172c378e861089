import * as fc from "fast-check";
import { expect, it } from "vitest";

import { responseIn } from "../response/response-in-text.ts";
import { CallHold, ResponseHold } from "./response-hold.ts";

const done = '{"is_task_complete": true, "content": "Done."}';
const open = '{"is_task_complete": false, "content": "Done."}';
function split(pieces: readonly string[]) {
  const hold = new ResponseHold();
  const shown = pieces.map((piece) => hold.push(piece)).join("");
  return { shown, held: hold.held, rest: hold.release() };
}

it.each([
  ["", done],
  ["I can help.\n", done],
  ["I can help.\n\n", `\`\`\`json\n${open}\n\`\`\``],
  ["", `\`\`\`json\n${done}\n\`\`\``],
  ["  ", `{\n  "content" : "x"`],
  ["Done. ", done],
  ['One: {"content": "}\\"", "k": [1]} and ', `${done} Hope that helps!`],
])("shows %j and holds %j, wherever the text is cut", (text, json) => {
  const whole = text + json;
  for (let at = 0; at <= whole.length; at++)
    expect(split([whole.slice(0, at), whole.slice(at)])).toMatchObject({ shown: text, held: json });
  expect(split(whole.split(""))).toMatchObject({ shown: text, held: json });
});

it.each([
  "An object {",
  'So: {"content": 1}',
  "\n{ not JSON",
  '\n{"name": "x"}',
  '\n{"content": "x", "k": [1, {}]}\n',
  '{"content": "}\\"", "k": 1}',
  '\n{"content": "a\nb',
  `So:\n\`\`\`json\n${done}\n\`\`\`\n`,
  "Some `code` and ```",
  "\n```js\nf();\n",
])("does not hold %j once it cannot be a response", (text) => {
  expect(split([...text.split(""), " more"])).toMatchObject({ shown: `${text} more`, held: "" });
});

it("loses and changes nothing", () => {
  const words = fc.constantFrom(
    "text ",
    "\n",
    " ",
    "`",
    "```json\n",
    "{",
    '"',
    '"content"',
    ":",
    "}",
    done,
    open,
  );
  fc.assert(
    fc.property(fc.array(fc.array(words)), (pieces) => {
      const { shown, held, rest } = split(pieces.map((piece) => piece.join("")));
      expect(shown + held).toBe(pieces.flat().join(""));
      expect(rest).toBe(held);
    }),
  );
});

it("passes a closed object that is no response before anything follows it", () => {
  expect(split(['So:\n{"content": "x", ', '"k": 1}'])).toMatchObject({ held: "" });
});

it.each(['{"content":"', `${done}\n`, `\`${done}\``, '{"content":1}', "```\n"])(
  "reads half a megabyte of %j, which only linear work allows",
  (unit) => {
    const pieces = Array.from({ length: 500_000 / 20 }, () => unit.repeat(Math.ceil(20 / unit.length)));
    const { shown, held } = split(pieces);
    expect(shown.length + held.length).toBe(pieces.join("").length);
    responseIn(shown, held);
  },
);

it.each([
  ["", "<tool_call>x"],
  ["I will search.\n", '<tool_call>{"name": "s"}</tool_call> and more'],
  ["So: [1] and <b>\n  \n", "[TOOL_CALLS] [{}]"],
  ["", '{"name": "rag_search", "arguments": {}}'],
  ["Now.\n", '```json\n[{"tool": "x"'],
  ["A line.\n\n", "<function=f>"],
  ["Find it.\n", '<invoke name="rag_search"><parameter name="query">x'],
  ["rag_searches\nprinted\n", 'rag_search(query="x")'],
  ["", "print(default_api.rag_search('x'))"],
  ["So.\n", "```tool_code\nx = 1"],
  ["", '```python\n[rag_search(query="x")]'],
  ["Thought: I search.\n", "Action: rag_search\nAction Input: x"],
])("shows %j of a text and holds the call %j, wherever the text is cut", (text, call) => {
  const whole = text + call;
  const splitCall = (pieces: readonly string[]) => {
    const hold = new CallHold(["rag_search", "finish"]);
    return { shown: pieces.map((piece) => hold.push(piece)).join(""), held: hold.release() };
  };
  for (let at = 0; at <= whole.length; at++)
    expect(splitCall([whole.slice(0, at), whole.slice(at)])).toEqual({ shown: text, held: call });
  expect(splitCall(whole.split(""))).toEqual({ shown: text, held: call });
});

it.each([
  "A model writes <tool_call> here.",
  '{"nation": "x"}',
  "[1] is a source.\n[TOOL] is none.\n<tools>\n```ts\nf();\n```\n",
  'So {"name": "x"}',
  "Call rag_search(x).\nprint(x)\nAction: ask Ann\nrag_searching\n```python\nfind(1)\n```\n",
])("holds nothing of %j once it is no call", (text) => {
  const hold = new CallHold(["rag_search", "finish"]);
  const shown = text.split("").map((piece) => hold.push(piece));
  expect(shown.join("") + hold.push(".")).toBe(`${text}.`);
});
