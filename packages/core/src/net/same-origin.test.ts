import { expect, it } from "vitest";

import { isSameOrigin } from "./same-origin.ts";

it.each([
  ["http://127.0.0.1:8101/a", "http://localhost:8101"],
  ["https://Agents.example/x", "https://agents.example:443"],
])("%s is of %s", (one, other) => {
  expect(isSameOrigin(one, new URL(other))).toBe(true);
});

it.each([
  ["http://127.0.0.1:8101", "http://127.0.0.1:8102"],
  ["https://agents.example", "http://agents.example"],
  ["https://agents.example", "https://agents.example.net"],
  ["file:///etc/passwd", "file:///etc/passwd"],
  ["nothing", "nothing"],
])("%s is not of %s", (one, other) => {
  expect(isSameOrigin(one, other)).toBe(false);
});
