import type { JsonObject } from "@troupe/stream";
import { describe, expect, it, onTestFinished } from "vitest";

import { isTroupeError } from "../../errors/troupe-error.ts";
import type { Model, ModelEvent, ModelRequest, StopReason } from "../../ports/model.ts";

/** What the model under test is to be made to do. */
export type ModelScenario =
  /** Answers with these pieces of text. */
  | { readonly kind: "text"; readonly pieces: readonly string[] }
  /** Writes text, then calls these tools, each call's arguments in pieces. */
  | {
      readonly kind: "calls";
      readonly text: string;
      readonly calls: readonly { readonly name: string; readonly pieces: readonly string[] }[];
    }
  /** Writes this text and then breaks off, without a proper end. */
  | { readonly kind: "broken"; readonly text: string }
  /** Writes this text and then nothing more, the connection open. */
  | { readonly kind: "stalled"; readonly text: string }
  | { readonly kind: "max-tokens"; readonly text: string }
  | { readonly kind: "refusal" }
  /** Refuses the key. */
  | { readonly kind: "auth" };

export interface ModelContractOptions {
  make(scenario: ModelScenario): Promise<{ readonly model: Model; close?(): Promise<void> }>;
  /** Scenarios that cannot happen to this model, such as `auth` where there is no key. */
  readonly never?: readonly ModelScenario["kind"][];
}

/** What every `Model` keeps, whatever stands behind it. */
export function modelContract(name: string, options: ModelContractOptions): void {
  async function open(scenario: ModelScenario): Promise<Model> {
    const made = await options.make(scenario);
    onTestFinished(async () => made.close?.());
    return made.model;
  }

  const cases: readonly Case[] = [
    {
      kind: "text",
      title: "streams text, says why it stopped, once and last",
      run: async () => {
        const pieces = ["Hel", "lo ", "wörld 😀"];
        const events = await all(await open({ kind: "text", pieces }));
        expect(textOf(events)).toBe(pieces.join(""));
        expect(stops(events)).toEqual(["end"]);
        expect(events.at(-1)?.type).toBe("stop");
      },
    },

    {
      kind: "text",
      title: "answers a request with images, also where it takes none or they cannot be read",
      run: async () => {
        const model = await open({ kind: "text", pieces: ["Seen."] });
        const image = { id: "gone", name: "cat.png", mediaType: "image/png", bytes: 64 };
        const messages = [{ role: "user" as const, text: "Go.", images: [image] }];
        const read = () => Promise.reject(new Error("gone"));
        const { signal } = new AbortController();
        const events: ModelEvent[] = [];
        for await (const event of model.stream({ ...request, messages }, { signal, images: { read } }))
          events.push(event);
        expect(textOf(events)).toBe("Seen.");
      },
    },

    {
      kind: "calls",
      title: "keeps parallel calls apart, arguments as they were written",
      run: async () => {
        const calls = [
          { name: "lookup", pieces: ['{"te', 'xt":"a \\u00e9', '"}'] },
          { name: "lookup", pieces: ['{"text":', '"b"}'] },
        ];
        const events = await all(await open({ kind: "calls", text: "Looking.", calls }));
        expect(textOf(events)).toBe("Looking.");
        const started = events.filter((event) => event.type === "tool-call-start");
        expect(started.map((event) => event.name)).toEqual(["lookup", "lookup"]);
        expect(new Set(started.map((event) => event.callId)).size).toBe(2);
        for (const [index, { callId }] of started.entries()) {
          const text = calls[index]?.pieces.join("") ?? "";
          expect(JSON.parse(argumentsOf(events, callId))).toEqual(JSON.parse(text));
          const ended = events.filter((event) => event.type === "tool-call-end" && event.callId === callId);
          expect(ended).toHaveLength(1);
        }
        expect(stops(events)).toEqual(["tool-calls"]);
      },
    },

    {
      kind: "broken",
      title: "throws a retryable error when the stream breaks; what came before stays",
      run: async () => {
        const { events, error } = await until(await open({ kind: "broken", text: "half an ans" }));
        expect(textOf(events)).toBe("half an ans");
        expect(stops(events)).toEqual([]);
        expect(isTroupeError(error) && error.retryable).toBe(true);
      },
    },

    {
      kind: "stalled",
      title: "ends with the signal's reason when it is aborted",
      run: async () => {
        const model = await open({ kind: "stalled", text: "wait" });
        const abort = new AbortController();
        const reason = new Error("the person gave up");
        const { events, error } = await until(model, abort.signal, () => abort.abort(reason));
        expect(textOf(events)).toBe("wait");
        expect(error).toBe(reason);
      },
    },

    {
      kind: "max-tokens",
      title: "says so when the output limit cut it off",
      run: async () => {
        const events = await all(await open({ kind: "max-tokens", text: "cut" }));
        expect(textOf(events)).toBe("cut");
        expect(stops(events)).toEqual(["max-tokens"]);
      },
    },

    {
      kind: "refusal",
      title: "says so when it refuses",
      run: async () => {
        expect(stops(await all(await open({ kind: "refusal" })))).toEqual(["refusal"]);
      },
    },

    {
      kind: "auth",
      title: "throws model.auth for a wrong key, not to be retried",
      run: async () => {
        const { error } = await until(await open({ kind: "auth" }));
        expect(error).toMatchObject({ code: "model.auth", retryable: false });
      },
    },
  ];
  describe(`Model contract: ${name}`, () => {
    const possible = cases.filter(({ kind }) => options.never?.includes(kind) !== true);
    it.each(possible.map(({ title, run }) => [title, run] as const))("%s", async (_, run) => {
      await expect(run()).resolves.toBeUndefined();
    });
  });
}

interface Case {
  readonly kind: ModelScenario["kind"];
  readonly title: string;
  readonly run: () => Promise<void>;
}

const inputSchema: JsonObject = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
};

const request: ModelRequest = {
  system: "You are tested.",
  messages: [{ role: "user", text: "Go." }],
  tools: [{ name: "lookup", description: "Looks something up.", inputSchema }],
};

async function all(model: Model): Promise<readonly ModelEvent[]> {
  const { events, error } = await until(model);
  if (error !== undefined) throw error;
  return events;
}

/** Reads to the end or the error; `onEvent` runs after each event. */
async function until(
  model: Model,
  signal: AbortSignal = new AbortController().signal,
  onEvent: () => void = () => undefined,
): Promise<{ readonly events: readonly ModelEvent[]; readonly error: unknown }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream(request, { signal })) {
      events.push(event);
      if (event.type === "text-delta") onEvent();
    }
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}

function argumentsOf(events: readonly ModelEvent[], callId: string): string {
  return events
    .map((event) => (event.type === "tool-call-delta" && event.callId === callId ? event.delta : ""))
    .join("");
}

function stops(events: readonly ModelEvent[]): readonly StopReason[] {
  return events.flatMap((event) => (event.type === "stop" ? [event.reason] : []));
}
