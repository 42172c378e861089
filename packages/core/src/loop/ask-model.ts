import { addUsage, NO_USAGE } from "@troupe/stream";

import { ModelError } from "../errors/model-error.ts";
import { isTroupeError } from "../errors/troupe-error.ts";
import { fold } from "../middleware/hooks.ts";
import type { ModelRequest, ModelToolCall } from "../ports/model.ts";
import { estimateTokens, messageChars, tokensOf } from "../text/estimate-tokens.ts";
import { RoundReader, type Reading, type Round } from "./round-reader.ts";
import type { Run } from "./run.ts";
import { textOf } from "./text-item.ts";

/**
 * Asks the model for one round. When its stream breaks and a middleware has it asked again, a new
 * attempt begins; the work of earlier rounds stands. Throws what the model threw when nobody does,
 * what a middleware threw, and the signal's reason when the run is cut short.
 */
export async function askModel(run: Run, request: ModelRequest, reading: Reading): Promise<Round> {
  const { beforeModel, onModelError } = run.hooks;
  for (let failures = 1; ; failures++) {
    const prepared = fold(beforeModel, request, (hook, so) => hook(so, run));
    const sent = prepared instanceof Promise ? await run.interrupt.race(prepared) : prepared;
    run.sent = sent.messages;
    const reader = new RoundReader(
      run,
      reading,
      sent.tools.map(({ name }) => name),
    );
    const { modelCalls } = run.usage;
    try {
      const round = await readRound(run, sent, reader);
      if (run.usage.modelCalls === modelCalls) estimate(run, sent, round.text, round.calls);
      run.keep(round.items, round.answers);
      run.advance(reader);
      return round;
    } catch (error) {
      const { items, answers } = reader.abandon();
      // A response stays open, so that what was streamed of it can be superseded.
      if (reading.as !== "response") for (const item of items) item.settle("narration");
      if (run.usage.modelCalls === modelCalls) estimate(run, sent, textOf(items), []);
      let delay: number | undefined;
      for (const hook of run.signal.aborted ? [] : onModelError) delay ??= hook(error, failures, run);
      // What a retry supersedes is no part of the answer.
      run.keep(items, delay === undefined ? answers : []);
      if (delay === undefined) throw error;
      run.options.log.warn("model call failed, asking again", { runId: run.request.runId, delay, error });
      run.supersede(items, isTroupeError(error) ? error.message : "The model call failed.");
      await run.interrupt.race(run.options.clock.sleep(delay, run.signal));
    }
  }
}

async function readRound(run: Run, request: ModelRequest, reader: RoundReader): Promise<Round> {
  const options = { signal: run.signal, images: run.images };
  const events = run.options.model.stream(request, options)[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await run.interrupt.race(events.next());
      if (next.done === true) break;
      reader.push(next.value);
    }
    ended = true;
  } finally {
    // Not awaited: a model that hangs must not hold the run.
    if (!ended) events.return?.().catch(() => undefined);
  }
  const round = reader.result();
  if (round !== undefined) return round;
  throw new ModelError("model.stream-broken", "The model's stream ended before it said why it stopped.", {
    retryable: true,
  });
}

/** A call that cost something of which nobody reports how much still counts against a limit. */
function estimate(run: Run, sent: ModelRequest, text: string, toolCalls: readonly ModelToolCall[]): void {
  const { maxTotalTokens, maxCostUsd, maxOutputTokens } = run.limits;
  if (maxTotalTokens === undefined && maxCostUsd === undefined && maxOutputTokens === undefined) return;
  const outputTokens = tokensOf(messageChars({ role: "assistant", text, toolCalls }));
  run.spent = addUsage(run.spent, { ...NO_USAGE, inputTokens: estimateTokens(sent), outputTokens });
}
