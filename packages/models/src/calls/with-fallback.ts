import { isTroupeError, type Log, type Model, type ModelError } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** How long calls go straight to the second model after the first one failed. */
const REST_MS = 60_000;

/**
 * The first model, with the second one for calls that the first fails before its first event, after its own retries.
 * Usage names the second model if it answered. The id is that of the first.
 */
export function withFallback(
  first: Model,
  second: Model,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Model {
  let restUntil = -Infinity;
  const useSecond = (error: ModelError): void => {
    restUntil = clock.now() + REST_MS;
    const { code, message } = error;
    log.warn("the model failed, using the fallback model", {
      model: first.id,
      fallback: second.id,
      code,
      reason: message,
    });
  };
  return {
    id: first.id,
    async *stream(request, options) {
      if (clock.now() >= restUntil) {
        let hasBegun = false;
        try {
          for await (const event of first.stream(request, options)) {
            hasBegun = true;
            yield event;
          }
          return;
        } catch (error) {
          if (hasBegun || options.signal.aborted || !isModelError(error)) throw error;
          useSecond(error);
        }
      }
      for await (const event of second.stream(request, options))
        yield event.type === "usage" ? { ...event, model: second.id } : event;
    },
    async check(options) {
      try {
        await first.check?.(options);
      } catch (error) {
        if (options.signal.aborted || second.check === undefined) throw error;
        await second.check(options);
      }
    },
  };
}

function isModelError(error: unknown): error is ModelError {
  return isTroupeError(error) && error.code.startsWith("model.");
}
