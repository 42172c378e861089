import { expect, it } from "vitest";

import { audienceOf } from "./audience.ts";

it.each([
  ["http://localhost:8101/", "http://127.0.0.1:8101"],
  ["http://127.0.0.1:8101", "http://127.0.0.1:8101"],
  ["http://[::1]:8101/.well-known/agent-card.json", "http://127.0.0.1:8101"],
  ["https://Agents.Example:443/data/", "https://agents.example/data"],
  ["http://agents.example/data?x=1#y", "http://agents.example/data"],
  ["http://user:pw@agents.example", "http://agents.example"],
  ["ftp://agents.example", undefined],
  ["data-agent", undefined],
])("spells %s one way", (url, expected) => {
  expect(audienceOf(url)).toBe(expected);
});

it("keeps apart what is somewhere else", () => {
  const all = [
    "http://a.example",
    "https://a.example",
    "http://a.example:81",
    "http://a.example/b",
    "http://b.example",
  ];
  expect(new Set(all.map(audienceOf)).size).toBe(all.length);
});
