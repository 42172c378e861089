import { expect, it } from "vitest";

import { systemPrompt } from "./prompt.ts";

it.each([
  ["finish", /call the tool finish alone/, /require_user_input/],
  ["marker", /write the line \[FINAL ANSWER\]/, /question to the person goes there too/],
  ["structured", /call no tool/, /require_user_input/],
] as const)("says behind the agent's own prompt how to end and how to ask, in mode %s", (mode, end, ask) => {
  const prompt = systemPrompt("You convert units.", mode, {
    today: { date: "2026-03-31", timeZone: "Europe/Oslo" },
    unavailable: [],
  });
  expect(prompt).toContain("Today is 2026-03-31 (Europe/Oslo).");
  expect(prompt).toMatch(/^You convert units\.\n\n/);
  expect(prompt).toMatch(end);
  expect(prompt).toMatch(ask);
  expect(/\bfinish\b/.test(prompt)).toBe(mode === "finish");
});
