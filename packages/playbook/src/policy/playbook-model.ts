import { setImmediate } from "node:timers/promises";

import { isTroupeError, ModelError, type Model, type ModelEvent, type ModelRequest } from "@troupe/core";

import { housePlaybook, type HousePlaybookOptions } from "../house-playbook.ts";
import { askedInMode, inMode } from "./in-mode.ts";
import type { Playbook, PlaybookMove } from "./playbook.ts";

export interface PlaybookModelOptions extends HousePlaybookOptions {
  /** `playbook` by default. */
  readonly id?: string;
  /** Characters of each delta. 24 by default. */
  readonly chunkChars?: number;
}

/**
 * A model that follows fixed rules and understands nothing: the built-in rules by default, else an agent's own policy.
 * The same loop, tools and stream run without a key, for trying out, air-gapped demonstrations and tests. Programs that
 * use it should say so.
 *
 * Text and arguments come in small chunks with a turn of the event loop between them, so that
 * streaming is visible. Call ids are `call-<round>-<position>`; usage is one call and no tokens.
 */
export function playbookModel(
  first: Playbook | PlaybookModelOptions = {},
  second: PlaybookModelOptions = {},
): Model {
  const options = typeof first === "function" ? second : first;
  const policy = typeof first === "function" ? first : housePlaybook(options);
  const chunkChars = Math.max(1, options.chunkChars ?? 24);
  return {
    id: options.id ?? "playbook",
    free: true,
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      for (const event of eventsOf(move(policy, request), request, chunkChars)) {
        yield event;
        await setImmediate();
        signal.throwIfAborted();
      }
    },
  };
}

function move(policy: Playbook, request: ModelRequest): PlaybookMove {
  try {
    return inMode(request, policy(askedInMode(request)));
  } catch (error) {
    const why = isTroupeError(error) ? `: ${error.message}` : ".";
    const message = `The playbook has no rule that fits this request${why}`;
    throw new ModelError("model.invalid-request", message, { cause: error });
  }
}

function* eventsOf(
  { say = "", calls = [] }: PlaybookMove,
  request: ModelRequest,
  chunkChars: number,
): Generator<ModelEvent> {
  const round = request.messages.filter((message) => message.role === "assistant").length + 1;
  for (const text of chunks(say, chunkChars)) yield { type: "text-delta", text };
  for (const [position, call] of calls.entries()) {
    const callId = `call-${round}-${position + 1}`;
    yield { type: "tool-call-start", callId, name: call.name };
    for (const delta of chunks(JSON.stringify(call.arguments), chunkChars))
      yield { type: "tool-call-delta", callId, delta };
    yield { type: "tool-call-end", callId };
  }
  yield {
    type: "usage",
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 },
  };
  yield { type: "stop", reason: calls.length > 0 ? "tool-calls" : "end" };
}

/** By code point: half a surrogate pair is not text. */
function* chunks(text: string, size: number): Generator<string> {
  let piece = "";
  let length = 0;
  for (const character of text) {
    piece += character;
    if (++length < size) continue;
    yield piece;
    piece = "";
    length = 0;
  }
  if (piece !== "") yield piece;
}
