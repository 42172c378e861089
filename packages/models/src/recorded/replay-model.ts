import { setImmediate } from "node:timers/promises";

import { ModelError, type Log, type Model, type ModelEvent } from "@troupe/core";

import { describeRequest, type RecordedTurn } from "./recording.ts";

export interface ReplayOptions {
  /** Name of the process, such as `rag-agent`: only its answers are replayed. */
  readonly agent: string;
  /** Gets a warning for each tool result that differs from the recorded one. */
  readonly log: Log;
}

const CHUNK = /[^]{1,24}/gu;

/**
 * Replays the recorded answers of one process against the real tools. The ids that the request and its tools have now,
 * such as that of a presentation or of an earlier step's table, replace the recorded ones.
 *
 * If a conversation continues after its last recorded answer, for example because that answer is refused now, the answer
 * is repeated. The stream throws `model.unscripted` if the recording has no answer for the request.
 */
export function replayModel(recording: readonly RecordedTurn[], { agent, log }: ReplayOptions): Model {
  const turns = recording.filter((turn) => turn.agent === agent);
  const used = new Set<RecordedTurn>();
  const ids = new Map<string, string>();
  return {
    id: `recorded ${turns[0]?.model ?? "model"}`,
    free: true,
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const asked = describeRequest(request);
      const sofar = turns.filter((one) => one.format === asked.format && one.round <= asked.round);
      const round = Math.max(...sofar.map((one) => one.round));
      const fitting = sofar.filter((one) => one.round === round);
      const unused = fitting.filter((one) => !used.has(one));
      // After all of them were replayed, the request is a repeated one.
      const turn = closest(unused.length > 0 ? unused : fitting, asked.asked);
      if (turn === undefined)
        throw new ModelError(
          "model.unscripted",
          `The recording has no answer of ${agent} to this request. Record it again with TROUPE_RECORD, or ask without TROUPE_REPLAY.`,
        );
      used.add(turn);
      matchIds(ids, turn.ids, asked.ids);
      for (const [index, result] of turn.results.entries()) {
        const live = asked.results[index];
        matchIds(ids, result.ids, live?.ids);
        if (live?.tool !== result.tool || live.digest !== result.digest)
          log.warn(
            `The recording no longer fits: ${result.tool} returned something else than when it was recorded.`,
            { agent, round: asked.round },
          );
      }
      for (const event of eventsOf(turn, (text) => withIds(text, ids))) {
        yield event;
        await setImmediate();
        signal.throwIfAborted();
      }
    },
  };
}

/** Pairs recorded with live ids by position, if there are as many of both. */
function matchIds(
  pairs: Map<string, string>,
  recorded: readonly string[] = [],
  live: readonly string[] = [],
): void {
  if (recorded.length !== live.length) return;
  for (const [at, id] of recorded.entries()) pairs.set(id, live[at] ?? id);
}

/** The turn whose request shares most words with this one; the first of equals. */
function closest(turns: readonly RecordedTurn[], asked: string): RecordedTurn | undefined {
  const words = wordsOf(asked);
  const share = (turn: RecordedTurn): number =>
    [...wordsOf(turn.asked)].filter((word) => words.has(word)).length;
  let best: RecordedTurn | undefined;
  for (const turn of turns) if (best === undefined || share(turn) > share(best)) best = turn;
  return best;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
}

/** In one pass: the live id of one may be the recorded id of another. */
function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  if (ids.size === 0) return text;
  const longestFirst = [...ids.keys()].sort((a, b) => b.length - a.length);
  const pattern = longestFirst.map((id) => id.replaceAll(/[^\w]/g, "\\$&")).join("|");
  return text.replaceAll(new RegExp(pattern, "g"), (id) => ids.get(id) ?? id);
}

function* eventsOf(turn: RecordedTurn, change: (text: string) => string): Generator<ModelEvent> {
  for (const text of chunks(change(turn.text))) yield { type: "text-delta", text };
  for (const [position, call] of turn.calls.entries()) {
    const callId = `call-${turn.round + 1}-${position + 1}`;
    yield { type: "tool-call-start", callId, name: call.name };
    for (const delta of chunks(change(call.arguments))) yield { type: "tool-call-delta", callId, delta };
    yield { type: "tool-call-end", callId };
  }
  yield {
    type: "usage",
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, modelCalls: 1 },
  };
  yield { type: "stop", reason: turn.stop };
}

/** By code point: half a surrogate pair is not text. */
function chunks(text: string): readonly string[] {
  return text.match(CHUNK) ?? [];
}
