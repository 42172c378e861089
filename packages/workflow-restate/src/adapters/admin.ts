import { isTroupeError, ProcessError, StoreError } from "@troupe/core";
import { insist } from "@troupe/core/resilience";
import type { Clock, Json } from "@troupe/stream";
import { WorkflowError, type Settlement } from "@troupe/workflow";

import type { Request } from "./any-server.ts";
import { readJournal } from "./read-journal.ts";

/**
 * A run that Restate does not go on with: for a while after it failed in itself, or not any more.
 * `mismatch`: its journal does not fit the driver, which it is tried with again, but in vain.
 */
export interface HaltedRun {
  readonly runId: string;
  readonly invocationId: string;
  /** `paused`: it failed too often, and nobody goes on with it unless asked to. */
  readonly state: "backing-off" | "paused" | "mismatch";
  /** What it failed with last. */
  readonly reason: string;
}

/** What operators do with a Restate server. */
export interface Admin {
  /** Tells Restate where the service is served. A service it knows there is looked at again. */
  register(url: string): Promise<void>;
  /** All, or those among the given runs. */
  halted(runIds?: readonly string[]): Promise<readonly HaltedRun[]>;
  /** Goes on with a halted run at once. */
  resume(invocationId: string): Promise<void>;
  /** What came of steps, signals and timers, by name; nothing once Restate has forgotten it. */
  values(runId: string): Promise<ReadonlyMap<string, Settlement>>;
  /** What was answered, by the name of the signal. */
  signals(runId: string): Promise<ReadonlyMap<string, Json>>;
}

const JSON_HEADERS = { "content-type": "application/json", accept: "application/json" };

/** How long one answer is waited for. */
const ANSWER_MS = 30_000;

interface HaltedRow {
  readonly id: string;
  readonly key: string;
  readonly status: "paused" | "backing-off";
  readonly failure?: string;
  readonly code?: string;
  /** The last time it was paused, as JSON. */
  readonly event?: string;
}

/** What Restate calls a journal that does not fit. */
const MISMATCH = "RT0016";

/** A text of SQL, in which only the quote has a meaning. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export interface AdminOptions {
  readonly name: string;
  readonly request: Request;
  readonly clock: Clock;
  /** How long an absence of Restate, or of the leaders within it, is borne with. */
  readonly patienceMs: number;
}

export function openAdmin({ name, request, clock, patienceMs }: AdminOptions): Admin {
  /** What it answers in the end, also when that is that it cannot. */
  const ask = async (method: string, path: string, body?: Json): Promise<Response> => {
    const signal = AbortSignal.timeout(patienceMs + ANSWER_MS);
    const init = {
      method,
      headers: JSON_HEADERS,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    let failed: Response | undefined;
    const attempt = async (): Promise<Response> => {
      failed = undefined;
      const response = await request(path, init);
      if (response.status < 500) return response;
      failed = response;
      throw await refusal(response.clone(), `${method} ${path}`);
    };
    const isAbsence = (error: unknown): boolean => isTroupeError(error) && error.retryable;
    return insist(attempt, { patienceMs, clock, signal, isAbsence }).catch((error: unknown) => {
      if (failed) return failed;
      throw error;
    });
  };
  const query = async <T>(sql: string): Promise<readonly T[]> => {
    const response = await ask("POST", "/query", { query: sql });
    if (!response.ok) throw await refusal(response, "a query");
    return ((await response.json()) as { readonly rows: readonly T[] }).rows;
  };
  return {
    async register(url) {
      const response = await ask("POST", "/deployments", { uri: url, force: true });
      if (response.ok) return;
      const cause = new Error(await response.text());
      const message = `Restate did not take ${url} as the address of "${name}" (status ${response.status}); it has to be reachable from where Restate runs`;
      throw new ProcessError("process.start", message, { cause });
    },
    async halted(runIds) {
      const which = runIds ? ` AND i.target_service_key IN (${runIds.map(quoted).join(", ")})` : "";
      const rows = await query<HaltedRow>(
        `SELECT i.id AS id, i.target_service_key AS key, i.status AS status, i.last_failure AS failure,
           i.last_failure_error_code AS code, e.event_json AS event
         FROM sys_invocation i LEFT JOIN sys_journal_events e ON e.id = i.id AND e.event_type = 'Paused'
         WHERE i.target_service_name = ${quoted(name)} AND i.target_handler_name = 'run'
           AND i.status IN ('paused', 'backing-off')${which}
         ORDER BY e.appended_at`,
      );
      // The last time it was paused is why it is paused now.
      return [...new Map(rows.map((row) => [row.key, row])).values()].map(toHalted);
    },
    async resume(invocationId) {
      const response = await ask("PATCH", `/invocations/${encodeURIComponent(invocationId)}/resume`);
      // Gone, or at work again by somebody else's doing.
      if (!response.ok && response.status !== 404 && response.status !== 409)
        throw await refusal(response, "to go on with a run");
    },
    async values(runId) {
      const rows = await query<{ readonly entry?: string }>(
        `SELECT j.entry_json AS entry FROM sys_journal j JOIN sys_invocation i ON i.id = j.id
         WHERE i.target_service_name = ${quoted(name)} AND i.target_handler_name = 'run'
           AND i.target_service_key = ${quoted(runId)}
           AND j.entry_type NOT IN ('Command: Input', 'Command: Output', 'Command: SetState')
         ORDER BY j.index`,
      );
      return readJournal(rows.flatMap(({ entry }) => entry ?? []));
    },
    async signals(runId) {
      const rows = await query<{ readonly key: string; readonly value?: string }>(
        `SELECT key, completion_success_value_utf8 AS value FROM sys_promise
         WHERE service_name = ${quoted(name)} AND service_key = ${quoted(runId)} AND completed`,
      );
      return new Map(
        rows.flatMap(({ key, value }) => {
          const settled = value === undefined ? undefined : (JSON.parse(value) as Settlement);
          return settled?.ok === true ? [[key, settled.value] as const] : [];
        }),
      );
    },
  };
}

interface Paused {
  readonly last_failure?: { readonly error_message?: string; readonly restate_doc_error_code?: string };
}

function toHalted({ id, key, status, event, ...last }: HaltedRow): HaltedRun {
  const paused = event === undefined ? undefined : (JSON.parse(event) as Paused).last_failure;
  const isPaused = status === "paused";
  const code = isPaused ? paused?.restate_doc_error_code : last.code;
  const reason = (isPaused ? paused?.error_message : last.failure) ?? "no reason is on record";
  return { runId: key, invocationId: id, state: code === MISMATCH ? "mismatch" : status, reason };
}

async function refusal(response: Response, what: string): Promise<Error> {
  const cause = new Error(await response.text());
  const message = `Restate refused ${what} (status ${response.status})`;
  return response.status < 500
    ? new WorkflowError("workflow.internal", message, { cause })
    : new StoreError("store.io", message, { cause, retryable: true });
}
