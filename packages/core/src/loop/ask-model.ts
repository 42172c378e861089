import { ModelError } from "../errors/model-error.ts";
import { isTroupeError } from "../errors/troupe-error.ts";
import type { ModelRequest } from "../ports/model.ts";
import { RoundReader, type Reading, type Round } from "./round-reader.ts";
import type { Run } from "./run.ts";

/** How often a round is asked again after the first time. */
export const MAX_RETRIES = 2;
const BASE_DELAY_MS = 500;
/** A provider that wants us to wait longer than this is down as far as this run goes. */
const MAX_DELAY_MS = 60_000;

/**
 * Asks the model for one round. When its stream breaks in a way that may pass, a new attempt begins
 * and the same round is asked again; the work of earlier rounds stands. Throws what the model threw
 * when that does not help, and the signal's reason when the run is cut short.
 */
export async function askModel(run: Run, request: ModelRequest, reading: Reading): Promise<Round> {
  for (let retries = 0; ; retries++) {
    const reader = new RoundReader(run, reading);
    try {
      const round = await readRound(run, request, reader);
      run.keep(round.items, round.answers);
      run.advance(reader);
      return round;
    } catch (error) {
      const { items, answers } = reader.abandon();
      const again = !run.signal.aborted && retries < MAX_RETRIES;
      const delay = again ? retryDelay(error, retries) : undefined;
      // What a retry supersedes is no part of the answer.
      run.keep(items, delay === undefined ? answers : []);
      if (delay === undefined) throw error;
      run.options.log.warn("model call failed, asking again", { runId: run.request.runId, delay, error });
      run.channel.attempt++;
      const reason = isTroupeError(error) ? error.message : "The model call failed.";
      run.emit({ type: "attempt-start", reason, items: items.map((item) => item.id) });
      await run.interrupt.race(run.options.clock.sleep(delay, run.signal));
    }
  }
}

async function readRound(run: Run, request: ModelRequest, reader: RoundReader): Promise<Round> {
  const events = run.options.model.stream(request, { signal: run.signal })[Symbol.asyncIterator]();
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

/** Milliseconds to wait, undefined when asking again cannot help. */
function retryDelay(error: unknown, retries: number): number | undefined {
  if (!isTroupeError(error) || !error.retryable) return undefined;
  const asked = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  const delay = typeof asked === "number" ? asked : BASE_DELAY_MS * 2 ** retries;
  return delay <= MAX_DELAY_MS ? delay : undefined;
}
