import { describe, expect, it } from "vitest";

import { Violation } from "../verdict.ts";
import { readAnswer } from "./answer.ts";
import { openStream } from "./stream.ts";

/** Gives the piece so often that any bound is passed, unless its reader leaves. */
function endless(piece: string, type: string, most = 1_000) {
  const bytes = new TextEncoder().encode(piece);
  let given = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (given++ < most) controller.enqueue(bytes);
      else controller.close();
    },
  });
  return {
    response: new Response(body, { headers: { "Content-Type": type } }),
    leftOver: () => most - given,
  };
}

describe("a stream without an end", () => {
  it.each([
    ["large events", `data: {"result":"${"x".repeat(60_000)}"}\n\n`, "16,777,216 bytes"],
    ["comments", `: ${"x".repeat(60_000)}\n`, "16,777,216 bytes"],
    ["tiny events", "data\n\n".repeat(10_000), "50,000 events"],
  ])("of %s is read so far, and breaks the requirement", async (_, piece, bound) => {
    const { response, leftOver } = endless(piece, "text/event-stream");
    const told = (await openStream("JSONRPC", response)).rest();
    await expect(told).rejects.toThrow(new Violation(`The stream goes on after ${bound}.`));
    expect(leftOver()).toBeGreaterThan(0);
  });
});

it("an answer without an end is read so far, also where a stream was asked for", async () => {
  const violation = new Violation("It was answered with more than 16,777,216 bytes.");
  for (const read of [readAnswer, openStream]) {
    const { response, leftOver } = endless(" ".repeat(64_000), "application/json");
    await expect(read("HTTP+JSON", response)).rejects.toThrow(violation);
    expect(leftOver()).toBeGreaterThan(0);
  }
});
