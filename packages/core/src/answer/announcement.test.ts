import { expect, it } from "vitest";

import { isAnnouncement } from "./announcement.ts";

const citation = {
  id: "1",
  document: "Travel policy",
  source: "travel.md",
  collection: "c",
  chunkId: "1",
  quote: "Trips over 500 km go by train. Ask Anna Berg first.",
  start: 0,
  end: 1,
};
const passages = { citations: [citation], tables: [] };
const rows = {
  citations: [],
  tables: [{ id: "result-1", columns: ["n"], rows: [[6]], query: "SELECT count(*) AS n FROM customers" }],
};

it.each([
  ["Great, I found some results. Now I will open the first document to read it.", passages],
  ["I found 5 results. Let me open the first of them.", passages],
  ["let me search again to be sure", passages],
  ["Ich habe etwas gefunden und werde jetzt das erste Dokument öffnen.", passages],
  ["Je vais maintenant ouvrir le premier document.", passages],
  ["I have the results. Let me now create a chart.", rows],
])("is a text that takes nothing from what was found: %s", (text, found) => {
  expect(isAnnouncement(text, found)).toBe(true);
});

it.each([
  ["By train.", passages],
  ["Such trips need the trains.", passages],
  ["Beyond 500 kilometres.", passages],
  ["You should first ask your colleague Anna about everything.", passages],
  ["It is allowed, as described elsewhere [1].", passages],
  ["Yes.", passages],
  ["There are six customers.", rows],
  ["Together these make 42.", rows],
  ["Configure something like `logging.level: debug`.", passages],
  ["A longer explanation of everything. ".repeat(10), passages],
])(
  "is no answer with a reference, figure, name or words of the sources, and none too short to tell: %s",
  (text, found) => {
    expect(isAnnouncement(text, found)).toBe(false);
  },
);

it("compares pairs of characters where words are not separated", () => {
  const found = { citations: [{ ...citation, quote: "出差超过五百公里应乘坐火车。" }], tables: [] };
  expect(isAnnouncement("应乘坐火车。", found)).toBe(false);
  expect(isAnnouncement("我现在打开第一个文件。", found)).toBe(true);
});
