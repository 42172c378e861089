import { AgentCard, Role, StreamResponse, Task, TaskState } from "@a2a-js/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { artifactOf, dataPart, textPart } from "../../wire/parts.ts";
import { checkShape } from "./check-shape.ts";
import { SHAPES } from "./messages.ts";

const rules = (message: string, value: unknown): readonly string[] =>
  checkShape(message, value).map(({ rule, at }) => `${rule} ${at}`);

const task: Task = {
  id: "t",
  contextId: "c",
  status: {
    state: TaskState.TASK_STATE_COMPLETED,
    message: undefined,
    timestamp: "2026-01-01T00:00:00.000Z",
  },
  artifacts: [artifactOf("a", "answer", [textPart(""), dataPart({ any: [null] })])],
  history: [
    {
      messageId: "m",
      contextId: "c",
      taskId: "t",
      role: Role.ROLE_USER,
      parts: [{ ...textPart(""), content: { $case: "raw", value: Buffer.from([0, 255]) } }],
      metadata: { snake_case: 1 },
      extensions: [],
      referenceTaskIds: [],
    },
  ],
  metadata: { snake_case: { of: "somebody else" } },
};

describe("the shape of a message", () => {
  it("is that of what the SDK writes", () => {
    expect(rules("Task", Task.toJSON(task))).toEqual([]);
    expect(
      rules("StreamResponse", StreamResponse.toJSON({ payload: { $case: "task", value: task } })),
    ).toEqual([]);
  });

  it("is missed by what the SDK has in memory", () => {
    expect(rules("Task", task).length).toBeGreaterThan(2);
    const scheme = { scheme: { $case: "httpAuthSecurityScheme", value: { scheme: "Bearer" } } };
    expect(rules("SecurityScheme", scheme)).toEqual(["one-content SecurityScheme"]);
    expect(rules("AgentCard", AgentCard.toJSON(AgentCard.fromJSON({ name: "a" })))).toContain(
      "required skills",
    );
  });

  it.each([
    ["names", "message_id", { message_id: "m", messageId: "m" }],
    ["required", "parts", { parts: undefined }],
    ["required-lists", "parts", { parts: [] }],
    ["types", "parts", { parts: {} }],
    ["types", "parts[0]", { parts: ["text"] }],
    ["one-content", "parts[0]", { parts: [{ text: "a", url: "b" }] }],
    ["types", "parts[0].raw", { parts: [{ raw: "not base64!" }] }],
    ["enums", "role", { role: "user" }],
    ["enums", "role", { role: 1 }],
    ["types", "metadata", { metadata: [] }],
  ])("tells %s at %s", (rule, at, wrong) => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }] };
    expect(rules("Message", message)).toEqual([]);
    expect(rules("Message", { ...message, ...wrong })).toEqual([`${rule} ${at}`]);
  });

  it.each(["2025-10-28T10:30:00.000Z", "2025-10-28T10:30:00Z", "2024-02-29T23:59:60.123456789Z"])(
    "takes %s as a time",
    (timestamp) => {
      expect(rules("TaskStatus", { state: "TASK_STATE_WORKING", timestamp })).toEqual([]);
    },
  );

  it.each(["2025-10-28T10:30:00+00:00", "2025-10-28 10:30:00Z", "2025-13-01T00:00:00Z", "now", 7])(
    "takes no %j",
    (timestamp) => {
      const found = rules("TaskStatus", { state: "TASK_STATE_WORKING", timestamp });
      expect(found).toEqual(["timestamps timestamp"]);
    },
  );

  it("can be asked of anything", () => {
    const names = fc.constantFrom(...Object.keys(SHAPES));
    fc.assert(
      fc.property(names, fc.jsonValue(), (name, value) => {
        for (const { at, problem } of checkShape(name, value))
          expect(`${at} ${problem}`.length).toBeLessThan(2_000);
      }),
    );
  });
});
