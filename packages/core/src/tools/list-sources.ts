import type { Clock } from "@troupe/stream";

import { ToolError } from "../errors/tool-error.ts";
import { isTroupeError } from "../errors/troupe-error.ts";
import type { Log } from "../ports/log.ts";
import type { ToolSource } from "../ports/tool.ts";
import type { ToolGroup, UnavailableSource } from "./tool-registry.ts";

/** How long one source may take to list its tools, in milliseconds. */
export const LIST_TIMEOUT_MS = 15_000;

export interface ListedSources {
  readonly groups: readonly ToolGroup[];
  readonly unavailable: readonly UnavailableSource[];
}

/** Asks every source at once. One that fails or does not answer is left out, with the reason. */
export async function listSources(
  sources: readonly ToolSource[],
  options: { readonly signal: AbortSignal; readonly clock: Clock; readonly log: Log },
): Promise<ListedSources> {
  const groups: ToolGroup[] = [];
  const unavailable: UnavailableSource[] = [];
  const listed = await Promise.allSettled(sources.map((source) => listOne(source, options)));
  listed.forEach((result, index) => {
    const source = sources[index]?.name ?? "";
    if (result.status === "fulfilled") {
      groups.push({ from: source, tools: result.value });
      return;
    }
    const known = isTroupeError(result.reason);
    const reason = known ? result.reason.message : "its tools could not be listed.";
    options.log.warn("tool source unavailable", { source, error: result.reason });
    unavailable.push({ source, reason });
  });
  return { groups, unavailable };
}

async function listOne(
  source: ToolSource,
  options: { readonly signal: AbortSignal; readonly clock: Clock },
): Promise<ToolGroup["tools"]> {
  const deadline = new AbortController();
  const late = new ToolError(
    "tool.unavailable",
    `"${source.name}" did not list its tools within ${LIST_TIMEOUT_MS / 1_000} s.`,
  );
  const stop = options.clock.schedule(LIST_TIMEOUT_MS, () => deadline.abort(late));
  const signal = AbortSignal.any([options.signal, deadline.signal]);
  try {
    signal.throwIfAborted();
    return await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      source.list({ signal }).then(resolve, reject);
    });
  } finally {
    stop();
  }
}
