import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import type { AgentResponse } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { agentResponseSchema } from "./response.ts";

/** Responses as released versions stored and sent them; the file never changes. */
describe("response-v1.json", () => {
  const text = readFileSync(new URL("fixtures/response-v1.json", import.meta.url), "utf8");
  const responses = JSON.parse(text) as readonly AgentResponse[];

  it("is unchanged", () => {
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      "f6219e2f5ee70c460d73f57ba419a0b92e65fd0a6745e5d10f1ee9042427c741",
    );
  });

  it("is read, with the question that was in user_input under its own key", () => {
    const read = responses.map((response) => agentResponseSchema.parse(response));
    const fields = responses.map(({ metadata }) => metadata.input_fields);
    expect(read).toEqual([
      { ...responses[0], metadata: { user_input: false, question: "", input_fields: fields[0] } },
      { ...responses[1], metadata: { user_input: true, question: "Which year?", input_fields: fields[1] } },
    ]);
    expect(read.map((response) => agentResponseSchema.parse(response))).toEqual(read);
  });

  it("carries checked claims and tables", () => {
    const checks = [
      { sentence: "It costs 5 [1].", status: "finding", finding: { kind: "figure", detail: "5" } },
    ];
    const tables = [{ id: "result-1", columns: ["year", "sum"], rows: [[2025, null]] }];
    const response = { ...responses[0], data: { tables }, checks };
    expect(agentResponseSchema.parse(response)).toMatchObject({ data: { tables }, checks });
    expect(agentResponseSchema.safeParse({ ...response, checks: [{ status: "ok" }] }).success).toBe(false);
  });

  it("needs no question", () => {
    const metadata = { user_input: true, input_fields: [] };
    const read = agentResponseSchema.parse({ ...responses[0], metadata });
    expect(read.metadata).toEqual({ ...metadata, question: "" });
  });
});
