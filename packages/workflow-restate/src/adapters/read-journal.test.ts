import { expect, it } from "vitest";

import { readJournal } from "./read-journal.ts";

const bytes = (value: unknown): readonly number[] => [...Buffer.from(JSON.stringify(value))];

it("finds what came of each name, and knows nothing of what did not come", () => {
  const error = { code: "agent.failed", message: "é", retryable: false };
  const entries = [
    { Command: { Input: { headers: [] } } },
    { Command: { SetState: { key: "request", value: [123] } } },
    { Command: { Run: { completion_id: 1, name: "a" } } },
    { Command: { Sleep: { wake_up_time: 1, completion_id: 2, name: "beat" } } },
    { Command: { GetPromise: { key: "go", completion_id: 3, name: "" } } },
    {
      Notification: {
        Completion: { Run: { completion_id: 1, result: { Success: bytes({ ok: false, error }) } } },
      },
    },
    { Command: { Sleep: { wake_up_time: 1, completion_id: 4, name: "timer:t" } } },
    { Notification: { Completion: { Sleep: { completion_id: 4 } } } },
    { Notification: { Signal: { id: 1 } } },
    { Command: { Run: { completion_id: 5, name: "broken" } } },
    { Notification: { Completion: { Run: { completion_id: 5, result: { Failure: { code: 500 } } } } } },
    {
      Notification: {
        Completion: { GetPromise: { completion_id: 3, result: { Success: bytes({ ok: true, value: 1 }) } } },
      },
    },
    { Command: { Output: { result: { Success: [1] } } } },
  ];
  expect([...readJournal(entries.map((entry) => JSON.stringify(entry)))]).toEqual([
    ["a", { ok: false, error }],
    ["timer:t", { ok: true, value: null }],
    ["signal:go", { ok: true, value: 1 }],
  ]);
});
