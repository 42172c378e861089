import type { RemoteAgent } from "@troupe/a2a/client";
import { isTroupeError, systemClock } from "@troupe/core";
import type { Json } from "@troupe/stream";
import type { RunView } from "@troupe/workflow";

import { wordFor, type AskedRun } from "./round-runs.ts";

const AGAIN_AFTER_MS = 60;

/**
 * Asks for the run, answers what it asks and waits for its end, however often the orchestrator dies
 * meanwhile: the same message until the run has a name, and then whatever has not been told yet.
 */
export async function followRun(remote: RemoteAgent, run: AskedRun, signal: AbortSignal): Promise<RunView> {
  const metadata = { workflow: JSON.parse(JSON.stringify(run.workflow)) as Json };
  run.runId = await untilTaken(
    () => remote.send({ text: run.key, messageId: run.messageId, metadata }, { signal }),
    signal,
  ).then(({ taskId }) => taskId);
  const { runId } = run;
  if (run.cancelAfterMs !== undefined) {
    await systemClock.sleep(run.cancelAfterMs, signal);
    await untilTaken(() => remote.cancel(runId), signal);
  }
  for (;;) {
    const view = await untilTaken(() => read(`${remote.url}/api/runs/${runId}`), signal);
    if (view.outcome !== undefined) return view;
    const asked = view.requests.map(({ request }) => request.requestId);
    const early = run.early ? run.people.filter((id) => stateOf(view, id) === "pending") : [];
    for (const requestId of [...asked, ...early])
      if (!run.accepted.has(requestId) && (await answered(remote.url, run, requestId)))
        run.accepted.add(requestId);
    await systemClock.sleep(AGAIN_AFTER_MS, signal);
  }
}

const stateOf = (view: RunView, stepId: string) => view.steps.find(({ id }) => id === stepId)?.state;

/** Nobody there, or what an orchestrator says that is ending: again. Anything else is no client's to bear. */
async function untilTaken<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const away = error instanceof TypeError || (isTroupeError(error) && error.retryable);
      if (!away) throw error;
    }
    await systemClock.sleep(AGAIN_AFTER_MS, signal);
  }
}

async function read(url: string): Promise<RunView> {
  const response = await fetch(url);
  // A task has its name a moment before its run is on record.
  if (response.status >= 500 || response.status === 404) throw new TypeError(`HTTP ${response.status}`);
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status} ${await response.text()}`);
  return (await response.json()) as RunView;
}

/** Whether it was accepted; what the orchestrator did not live to say is asked again. */
async function answered(url: string, run: AskedRun, requestId: string): Promise<boolean> {
  const [step = ""] = requestId.split("#");
  const values = { word: wordFor(`${run.key}-${step}`) };
  try {
    const response = await fetch(`${url}/api/runs/${run.runId ?? ""}/answer`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ requestId, values }),
    });
    return response.ok;
  } catch {
    return false;
  }
}
