import type { JsonObject } from "@troupe/stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readWrittenCalls } from "./written-calls.ts";

const tools = ["rag_search", "query_db", "finish"];
const nameOf = (name: string): string | undefined => tools.find((tool) => tool === name.toLowerCase());
const read = (text: string, isAnswer?: (object: JsonObject) => boolean) =>
  readWrittenCalls(text, { nameOf, ...(isAnswer && { isAnswer }) });

const json = '{"name": "rag_search", "arguments": {"query": "pH"}}';
const search = { name: "rag_search", arguments: '{"query":"pH"}' };

describe("readWrittenCalls", () => {
  it.each([
    ["a tag", `<tool_call>\n${json}\n</tool_call>`],
    ["a tag without its end", `<tool_call>${json}`],
    ["a tag and no last brace", `<tool_call>{"name": "rag_search", "arguments": {"query": "pH"}</tool_call>`],
    ["a tag in a fence", `\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\``],
    [
      "a tag with a function in it",
      "<tool_call>\n<function=rag_search>\n<parameter=query>\npH\n</parameter>\n</function>\n</tool_call>",
    ],
    ["a function", '<function=rag_search>{"query": "pH"}</function>'],
    ["a list of Mistral", `[TOOL_CALLS] [${json}]`],
    ["a name of Mistral", '[TOOL_CALLS]rag_search[ARGS]{"query": "pH"}'],
    ["bare JSON", json],
    ["bare JSON without its last brace", json.slice(0, -1)],
    ["a fence", `\`\`\`json\n${json}\n\`\`\``],
    ["a list in a fence", `\`\`\`\n[${json}]\n\`\`\``],
    ["other keys", '{"tool": "RAG_search", "parameters": {"query": "pH"}}'],
    ["arguments as text", '{"name": "rag_search", "arguments": "{\\"query\\": \\"pH\\"}"}'],
    ["the form of OpenAI", `{"id": "1", "type": "function", "function": ${json}}`],
    ["an announcement", `I will search for that.\n\n<tool_call>${json}</tool_call>`],
    ["an announcement and a fence", `Let me look it up:\n\`\`\`json\n${json}\n\`\`\``],
    ["an announcement and bare JSON", `Searching.\n${json}`],
    ["Python", 'rag_search(query="pH")'],
    ["Python with an object", "RAG_search({'query': 'pH',})"],
    ["Python that is printed in a fence of Gemma", '```tool_code\nprint(rag_search(query="pH"))\n```'],
    ["a fence of Gemma without its end", "```tool_code\nrag_search(query='pH')"],
    ["Python in a list", '[rag_search(query="pH")]'],
    ["JavaScript", 'rag_search({ query: "pH" });'],
    ["an announcement and Python", 'I will search for that.\n\nrag_search(query="pH")'],
    ["an announcement and Python in a fence", 'Searching:\n```python\nrag_search(query="pH")\n```'],
    ["an action", 'Action: rag_search\nAction Input: {"query": "pH"}'],
    [
      "a thought, an action and an invented result",
      'Thought: I should search.\nAction: rag_search\nAction Input: {"query": "pH"}\nObservation: The pH is 7.\nThought: Done.',
    ],
    ["an element", '<invoke name="rag_search"><parameter name="query">pH</parameter></invoke>'],
    [
      "an element in another",
      '<function_calls>\n<invoke name="rag_search">\n<parameter name="query">pH</parameter>\n</invoke>\n</function_calls>',
    ],
  ])("reads %s", (_, text) => {
    expect(read(text)).toMatchObject({ kind: "calls", calls: [search] });
  });

  it("takes keys beside the name for arguments only where the tool takes all of them", () => {
    const beside = (text: string) =>
      readWrittenCalls(text, { nameOf, argumentsOf: () => ["query", "limit"] });
    expect(beside('{"tool": "rag_search", "query": "pH"}')).toMatchObject({ kind: "calls", calls: [search] });
    expect(beside('{"tool": "rag_search", "query": "pH", "price": 3}')).toBeUndefined();
    expect(beside('{"tool": "hammer", "query": "pH"}')).toBeUndefined();
    expect(beside('{"tool": "rag_search"}')).toBeUndefined();
  });

  it("reads several calls in their order", () => {
    const query = '{"name":"query_db","arguments":{"sql":"select 1"}}';
    const both = [search, { name: "query_db", arguments: '{"sql":"select 1"}' }];
    for (const text of [
      `<tool_call>${json}</tool_call>\n<tool_call>${query}</tool_call>`,
      `<tool_calls><tool_call>${json}</tool_call><tool_call>${query}</tool_call></tool_calls>`,
      `[TOOL_CALLS][${json},${query}]`,
      `${json}\n${query}`,
      'rag_search(query="pH")\nquery_db(sql="select 1")',
      "[rag_search(query='pH'), query_db(sql='select 1')]",
      '<invoke name="rag_search"><parameter name="query">pH</parameter></invoke><invoke name="query_db">{"sql":"select 1"}</invoke>',
    ])
      expect(read(text)).toMatchObject({ kind: "calls", calls: both, before: "" });
  });

  it.each([
    [
      'rag_search(query="a \\"b\\" \\u00e9", n=3, all=True, of=None)',
      { query: 'a "b" é', n: 3, all: true, of: null },
    ],
    [
      "rag_search(query='it\\'s (1)', ids=[1, 2.5], filter={'a': False})",
      { query: "it's (1)", ids: [1, 2.5], filter: { a: false } },
    ],
    ["rag_search(\n  query='x',\n)", { query: "x" }],
    ["rag_search()", {}],
    ["rag_search('pH')", "pH"],
    ["Action: rag_search\nAction Input: pH of water", "pH of water"],
  ])("reads the arguments of %s", (text, args) => {
    const found = read(text);
    expect(found?.kind === "calls" && found.calls.map((call) => JSON.parse(call.arguments))).toEqual([args]);
  });

  it("keeps the announcement apart", () => {
    expect(read(`Searching.\n<tool_call>${json}</tool_call>`)).toMatchObject({ before: "Searching." });
  });

  it.each([
    ["single quotes", "<tool_call>{'name': 'rag_search', 'arguments': {}}</tool_call>"],
    ["no tool of that name", '<tool_call>{"name": "web_search", "arguments": {"q": "x"}}</tool_call>'],
    ["a text that is cut off", '<tool_call>{"name": "rag_search", "arguments": {"query": "p'],
    ["nothing in it", "<tool_call></tool_call>"],
    ["a fence of Gemma with other code", "```tool_code\nprint(2 + 2)\n```"],
    ["an element without a tool", '<invoke name="web_search"><parameter name="q">x</parameter></invoke>'],
    ["one of two", `<tool_call>${json}</tool_call><tool_call>oops</tool_call>`],
  ])("says that a marked call cannot be read: %s", (_, text) => {
    expect(read(text)).toEqual({ kind: "unreadable" });
  });

  it.each([
    ["text behind it", `<tool_call>${json}</tool_call>\nThat is how it searches.`],
    ["text on its line", `Write <tool_call>${json}</tool_call>`],
  ])("is not sure of a marked call with %s", (_, text) => {
    expect(read(text)).toEqual({ kind: "mixed" });
  });

  it.each([
    ["an answer", "The pH is 7 [1]."],
    ["JSON of another kind", '{"name": "Ann", "arguments": {"a": 1}}'],
    ["a tool with more beside it", '{"name": "rag_search", "arguments": {}, "uses": 3}'],
    ["a name without arguments", '{"name": "rag_search"}'],
    ["a list with something else in it", `[${json}, 1]`],
    ["an example with text behind it", `Call it so:\n\`\`\`json\n${json}\n\`\`\`\nThen read on.`],
    ["an example behind a long text", `${"An explanation. ".repeat(30)}\n\`\`\`json\n${json}\n\`\`\``],
    ["a mark behind a long text", `${"An explanation. ".repeat(30)}\n<tool_call>${json}</tool_call>`],
    ["a mark in a fence behind text", `An example:\n\`\`\`\n<tool_call>${json}</tool_call>\n\`\`\``],
    ["a mark that is spoken of", "Models write <tool_call> in front of a call."],
    ["an example on a line", `Call it with ${json}`],
    ["arguments that are no object", '{"name": "rag_search", "arguments": [1]}'],
    ["a call in a sentence", 'Call rag_search(query="pH") to find it.'],
    ["a call that a sentence begins with", 'rag_search(query="pH") finds it.'],
    ["a call in a quotation", '> rag_search(query="pH")'],
    ["a call of code", "```python\nprint(len('pH'))\n```"],
    ["a call with code in it", "rag_search(query=topic)"],
    ["two positional arguments", "rag_search('pH', 3)"],
    ["code around a call", 'for x in y:\n  rag_search(query="pH")\nprint(x)'],
    [
      "a call in a fence behind a long text",
      `${"An explanation. ".repeat(30)}\n\`\`\`python\nrag_search(query="pH")\n\`\`\``,
    ],
    ["actions of another kind", "Action: Call the office\nAction Input: none"],
    ["an action without its input", "Action: rag_search finds it."],
  ])("takes %s for an answer", (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it("takes JSON for an answer where an answer has that form", () => {
    expect(read(json, (object) => "name" in object)).toBeUndefined();
    expect(read(`<tool_call>${json}</tool_call>`, () => true)).toMatchObject({ kind: "calls" });
  });

  it("reads no call from a sentence", () => {
    const calls = [
      json,
      'rag_search(query="pH")',
      "print(rag_search('pH'))",
      'Action: rag_search\nAction Input: {"query": "pH"}',
      '<invoke name="rag_search"><parameter name="query">pH</parameter></invoke>',
      '<function=rag_search>{"query": "pH"}</function>',
      `<tool_call>${json}</tool_call>`,
    ];
    const words = fc
      .array(fc.constantFrom("the", "pH", "of water,", "is 7 [1].", "Call", "`", "(", "Action", "print"), {
        minLength: 1,
      })
      .map((some) => some.join(" "));
    fc.assert(
      fc.property(words, fc.constantFrom(...calls), words, fc.boolean(), (before, call, after, isLast) => {
        expect(read(`${before} ${call}${isLast ? "" : ` ${after}`}`)?.kind).not.toBe("calls");
      }),
    );
  });

  it("reads any text in linear time", () => {
    const parts = [
      "<tool_call>",
      "</tool_call>",
      "[TOOL_CALLS]",
      "<function=a>",
      "{",
      "}",
      '"',
      "```",
      "\n",
      json,
      "x",
      "rag_search(",
      "print(",
      "query=",
      "'",
      ")",
      "\\",
      "Action: rag_search\n",
      "Action Input: ",
      "Observation:",
      '<invoke name="rag_search">',
      '<parameter name="a">',
      "</parameter>",
      "rag_search(query='pH')\n",
      " ",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 30 }), (some) => {
        read(some.join(""));
      }),
    );
    const started = performance.now();
    for (const part of parts) read(part.repeat(Math.floor(150_000 / part.length)));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
