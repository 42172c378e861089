import * as fc from "fast-check";
import { expect, it } from "vitest";

import { ResponseHold } from "./response-hold.ts";

const done = '{"is_task_complete": true, "content": "Done."}';
function split(pieces: readonly string[]) {
  const hold = new ResponseHold();
  const shown = pieces.map((piece) => hold.push(piece)).join("");
  return { shown, held: hold.held, rest: hold.release() };
}

it.each([
  ["", done],
  ["I can help.\n", done],
  ["I can help.\n\n", `\`\`\`json\n${done}\n\`\`\``],
  ["  ", `{\n  "content" : "x"`],
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
  "Some `code` and ```",
  "\n```js\nf();\n",
])("does not hold %j once it cannot be a response", (text) => {
  expect(split([...text.split(""), " more"])).toMatchObject({ shown: `${text} more`, held: "" });
});

it("loses and changes nothing", () => {
  const words = fc.constantFrom("text ", "\n", " ", "`", "```json\n", "{", '"', '"content"', ":", "}", done);
  fc.assert(
    fc.property(fc.array(fc.array(words)), (pieces) => {
      const { shown, held, rest } = split(pieces.map((piece) => piece.join("")));
      expect(shown + held).toBe(pieces.flat().join(""));
      expect(rest).toBe(held);
    }),
  );
});
