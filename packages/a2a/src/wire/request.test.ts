import { Message } from "@a2a-js/sdk";
import type { Delegation } from "@troupe/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { delegationText } from "./delegation-text.ts";
import { EXT } from "./extension.ts";
import { dataPart, textOf } from "./parts.ts";
import { fromMessage, toMessage, type RemoteRequest } from "./request.ts";

const delegation: Delegation = {
  v: 1,
  objective: "A deck about AI",
  instruction: "Find the sales",
  expectedOutput: "A table",
  allowedTools: ["query_db"],
  limits: { maxIterations: 3 },
  userId: "ann",
  collectionId: "docs",
  results: {
    rag: {
      stepId: "rag",
      agent: "rag-agent",
      outcome: "completed",
      answer: 'Use "quotes" & <tags>\nas they are.',
      data: null,
      citations: [],
      artifacts: [
        {
          id: "f",
          name: "a.pdf",
          mediaType: "application/pdf",
          bytes: 1,
          sha256: "0".repeat(64),
          url: "http://127.0.0.1/f",
        },
      ],
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 0 },
      provenance: { attempt: 1, startedAt: 0, endedAt: 1 },
    },
  },
};
const context = { taskId: "t", contextId: "c", history: [] };
const overTheWire = (message: Message): Message =>
  Message.fromJSON(JSON.parse(JSON.stringify(Message.toJSON(message))) as unknown);

describe("a request as a message", () => {
  it.each<[object, string]>([
    [
      { collection: 5 },
      "message.metadata.collection must be the name of a collection, a string of 1 to 256 characters, not 5.",
    ],
    [{ collection: ["mine"] }, 'not ["mine"].'],
    [{ collection: "" }, 'not "".'],
    [{ collection: "x".repeat(300) }, 'a string of 1 to 256 characters, not "xxx'],
    [
      { response_mode: "fast" },
      'message.metadata.response_mode must be one of "finish", "marker", "structured", not "fast".',
    ],
    [
      { [EXT]: { v: 1, kind: "request", userId: 5 } },
      `message.metadata.${EXT}.userId must be a string, not 5.`,
    ],
  ])("is refused with metadata that cannot be used (%#)", (metadata, why) => {
    const message = { ...toMessage({ text: "x" }, "m"), metadata: { ...metadata } };
    expect(() => fromMessage(message, context)).toThrow(why);
    const none = Object.fromEntries(Object.keys(metadata).map((key) => [key, null]));
    expect(fromMessage({ ...message, metadata: none }, context).collectionId).toBeUndefined();
  });

  it("arrives as it was sent, whatever is in it", () => {
    const optional = <T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
      fc.option(arb, { nil: undefined });
    const key = fc.string().filter((name) => !["collection", "response_mode", "__proto__"].includes(name));
    fc.assert(
      fc.property(
        fc.record({
          text: fc.string({ minLength: 1, unit: "binary" }),
          userId: optional(fc.string({ minLength: 1 })),
          collectionId: optional(fc.string({ minLength: 1, maxLength: 256 })),
          reply: optional(fc.record({ requestId: fc.string(), values: fc.dictionary(key, fc.string()) })),
          metadata: optional(fc.dictionary(key, fc.string(), { minKeys: 1 })),
          responseMode: optional(
            fc.constantFrom("finish" as const, "marker" as const, "structured" as const),
          ),
        }),
        (drawn) => {
          const request = JSON.parse(JSON.stringify(drawn)) as RemoteRequest;
          const read = fromMessage(overTheWire(toMessage(request, "m")), context);
          expect(read).toEqual({ ...request, runId: "t", messageId: "m", history: [], contextId: "c" });
        },
      ),
    );
  });

  it("carries a delegation as data for ours and as words for others, each answer once and unescaped", () => {
    const message = overTheWire(toMessage({ delegation }, "m"));
    expect(fromMessage(message, context)).toMatchObject({
      text: "Find the sales",
      delegation,
      userId: "ann",
      collectionId: "docs",
    });
    const words = textOf(message.parts);
    expect(words).toBe(delegationText(delegation));
    expect(words.split('Use "quotes" & <tags>\nas they are.')).toHaveLength(2);
    expect(words).toContain("a.pdf: http://127.0.0.1/f");
    expect(words.startsWith("Find the sales")).toBe(true);
  });

  it("names images by their address where an agent takes them and cannot read a delegation, and never holds them", () => {
    const image = {
      id: "i",
      name: "cat.png",
      mediaType: "image/png",
      bytes: 9,
      sha256: "0".repeat(64),
      url: "http://127.0.0.1/artifacts/i/cat.png?sig=1",
    };
    const request = { delegation: { ...delegation, images: [image] } };
    const filesOf = (message: Message) => message.parts.filter(({ content }) => content?.$case === "url");
    expect(filesOf(toMessage(request, "m", { data: false, images: true }))).toMatchObject([
      { content: { value: image.url }, filename: "cat.png", mediaType: "image/png" },
    ]);
    expect(filesOf(toMessage(request, "m", { data: false }))).toEqual([]);
    const ours = overTheWire(toMessage(request, "m"));
    expect(filesOf(ours)).toEqual([]);
    expect(fromMessage(ours, context).delegation?.images).toEqual([image]);
  });

  it.each(["loud", "", 7, {}])("refuses the response_mode %j and names those there are", (mode) => {
    const message = toMessage({ text: "Go.", metadata: { response_mode: mode } }, "m");
    const names = `response_mode must be one of "finish", "marker", "structured", not ${JSON.stringify(mode)}.`;
    expect(() => fromMessage(message, context)).toThrow(names);
  });

  it("believes authentication before the message, and takes a handwritten reply for one", () => {
    const message = toMessage({ delegation }, "m");
    message.parts.push(dataPart({ requestId: "r", values: { year: 2026 } }));
    const read = fromMessage(message, { ...context, caller: { id: "bob", scopes: ["*"] } });
    expect(read.delegation).toEqual({ ...delegation, userId: "bob" });
    expect(read).toMatchObject({
      userId: "bob",
      scopes: ["*"],
      reply: { requestId: "r", values: { year: 2026 } },
    });
  });

  it("never takes a handwritten reply that is broken for words", () => {
    const message = toMessage({ text: "" }, "m");
    const decisions = [{ callId: "c", type: "bogus" }];
    message.parts = [dataPart({ requestId: "r", decisions })];
    expect(() => fromMessage(message, context)).toThrow(/The reply cannot be read: .*decisions/s);
  });

  it("says what is wrong with a delegation or a reply that is marked and broken", () => {
    const broken = JSON.parse(JSON.stringify({ ...delegation, results: 7 })) as Delegation;
    expect(() => fromMessage(toMessage({ delegation: broken }, "m"), context)).toThrow(/delegation.*results/);
    const earlier = { v: 2, turns: [], results: {} };
    for (const later of [
      { ...delegation, v: 2, results: "new" },
      { ...delegation, earlier },
    ]) {
      const message = toMessage(
        { text: "x", delegation: JSON.parse(JSON.stringify(later)) as Delegation },
        "m",
      );
      expect(() => fromMessage(message, context)).toThrow(
        expect.objectContaining({
          code: "input.unsupported",
          message: expect.stringContaining("is of version 2; this agent reads up to version 1") as string,
        }),
      );
    }
    const reply = JSON.parse('{"requestId":1}') as NonNullable<RemoteRequest["reply"]>;
    expect(() => fromMessage(toMessage({ text: "x", reply }, "m"), context)).toThrow(/reply/);
  });
});
