import { silentLog, type ToolContext } from "@troupe/core";
import type { Retriever } from "@troupe/retrieval";
import { expect, it } from "vitest";

import { summarize } from "./summarize.ts";

const context: ToolContext = {
  runId: "r",
  callId: "c",
  agent: "test",
  signal: new AbortController().signal,
  shared: { v: 1, results: {} },
  log: silentLog,
};

it("does not take silence for an answer where nothing was taken in", async () => {
  const index: Pick<Retriever, "collections"> = { collections: () => Promise.resolve([]) };
  const output = await summarize(() => Promise.resolve(index as Retriever)).execute(
    { subject: "What is Kompass?" },
    context,
  );
  expect(output.isError).toBe(true);
  expect(output.text).toMatch(/^There are no documents yet\. .*ingest/);
});
