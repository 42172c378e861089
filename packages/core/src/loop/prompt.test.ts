import { expect, it } from "vitest";

import { requestLanguage, systemPrompt } from "./prompt.ts";

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

it("takes the language from the request, else from what the person wrote before", () => {
  const request = { runId: "r", text: "Et en 2024 ?", history: [] };
  const earlier = [
    { role: "user" as const, text: "Quel est le nombre de ruptures pour 2025 ?" },
    { role: "agent" as const, text: "What is the question and who is it for?" },
  ];
  expect(requestLanguage(request)).toBeUndefined();
  expect(requestLanguage({ ...request, history: earlier })).toBe("French");
  const delegation = {
    v: 1 as const,
    objective: "Wie ist der Umsatz und was sagt das Protokoll?",
    instruction: "Find what the minutes say about the revenue and the board.",
    expectedOutput: "",
    allowedTools: [],
    limits: {},
    results: {},
  };
  expect(requestLanguage({ ...request, delegation })).toBe("German");
});
