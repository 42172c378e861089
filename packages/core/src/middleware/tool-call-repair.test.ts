import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ModelMessage, ModelRequest } from "../ports/model.ts";
import { changedBy } from "../testing/run-view.ts";
import { toolCallRepair } from "./tool-call-repair.ts";

const user: ModelMessage = { role: "user", text: "Go." };
const asks = (...ids: readonly string[]): ModelMessage => ({
  role: "assistant",
  text: "",
  toolCalls: ids.map((callId) => ({ callId, name: "search", arguments: "{}" })),
});
const answers = (...ids: readonly string[]): ModelMessage => ({
  role: "tool",
  results: ids.map((callId) => ({ callId, name: "search", text: `of ${callId}`, isError: false })),
});

function repaired(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const request: ModelRequest = { system: "s", messages, tools: [] };
  return changedBy(toolCallRepair(), request).messages;
}

/** One letter a message, a call or result by its id. */
const shape = (messages: readonly ModelMessage[]) =>
  repaired(messages).map((message) => {
    if (message.role === "user") return "user";
    if (message.role === "assistant") return `asks ${message.toolCalls.map((call) => call.callId).join(" ")}`;
    return message.results
      .map((result) => `${result.callId}=${result.isError ? "none" : result.text}`)
      .join(" ");
  });

describe("tool-call repair", () => {
  it("leaves a valid conversation as it is", () => {
    const messages = [user, asks("a", "b"), answers("b", "a"), asks(), user, asks("c"), answers("c")];
    expect(repaired(messages)).toBe(messages);
  });

  it.each<[string, readonly ModelMessage[], readonly string[]]>([
    ["a call without a result", [user, asks("a", "b"), answers("b")], ["user", "asks a b", "a=none b=of b"]],
    ["calls at the end", [user, asks("a")], ["user", "asks a", "a=none"]],
    [
      "a result without a call",
      [user, answers("x"), asks("a"), answers("a", "y")],
      ["user", "asks a", "a=of a"],
    ],
    ["a result twice", [asks("a"), answers("a", "a")], ["asks a", "a=of a"]],
    ["results in pieces", [asks("a", "b"), answers("b"), answers("a")], ["asks a b", "a=of a b=of b"]],
    ["words between", [asks("a"), user, answers("a")], ["asks a", "a=of a", "user"]],
    ["a call twice", [asks("a", "a"), answers("a")], ["asks a", "a=of a"]],
    [
      "an id again",
      [asks("a"), answers("a"), asks("a"), answers("a")],
      ["asks a", "a=of a", "asks a-2", "a-2=of a"],
    ],
    ["a result after a message without calls", [asks(), answers("a")], ["asks "]],
  ])("mends %s", (_, messages, expected) => {
    expect(shape(messages)).toEqual(expected);
  });

  it("makes any conversation valid, keeps every word of people, and changes nothing the second time", () => {
    const ids = fc.array(fc.constantFrom("a", "b", "c", "a-2"), { maxLength: 3 });
    const message = fc.oneof(
      fc.constant(user),
      ids.map((list) => asks(...list)),
      ids.map((list) => answers(...list)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 10 }), (messages) => {
        const once = repaired(messages);
        expect(repaired(once)).toBe(once);
        const people = (all: readonly ModelMessage[]) => all.filter(({ role }) => role === "user").length;
        expect(people(once)).toBe(people(messages));
        const asked = once.flatMap((one) =>
          one.role === "assistant" ? one.toolCalls.map((c) => c.callId) : [],
        );
        const given = once.flatMap((one) => (one.role === "tool" ? one.results.map((r) => r.callId) : []));
        // A valid round is left as it is, and its results may stand in another order.
        expect(given.toSorted()).toEqual(asked.toSorted());
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });
});
