import type { IncomingMessage, ServerResponse } from "node:http";

import { lastEventIdOf, serveEvents } from "@troupe/a2a/server";
import { describeIssues, InputError, replySchemaFor, toErrorInfo, type Caller } from "@troupe/core";
import type { Clock, InputReply } from "@troupe/stream";

import { invalid } from "../orchestrator/invalid.ts";
import { otherAnswer } from "../orchestrator/other-answer.ts";
import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { findRun } from "./find-run.ts";
import { idByKey } from "./id-by-key.ts";
import { readJson } from "./read-json.ts";

/** An answer that was taken, and whose. */
export interface TakenReply {
  readonly runId: string;
  readonly reply: InputReply;
  readonly user?: string;
  readonly caller?: Caller;
}

export interface RouteRequest {
  /** Told of an answer that was taken, the last that the run waited for, so that a task that waits goes on. */
  readonly onTaken: (taken: TakenReply) => void;
  readonly method: string | undefined;
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
  readonly caller: Caller | undefined;
  readonly clock: Clock;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * What can be asked of one run, whose id may be cut short: `GET /api/runs/ID`, `/detail`, `/export` and `/events`, and
 * `POST /api/runs/ID/answer` with a reply (`{ runId, answer }`), `/resume` (`{ answer }`) and `/retry?from=STEP` (`{ runId }`, of the new run: the
 * same one for the same `Idempotency-Key`). `/events` are
 * server-sent events `{ position, event }` with the position as their id, from `?from=N` on or behind
 * `Last-Event-ID`, until the run ends. Undefined for any other path.
 */
export function runRoute(
  orchestrator: Orchestrator,
  asked: RouteRequest,
): (() => Promise<unknown>) | undefined {
  const { caller } = asked;
  const [, id, what = ""] = /^\/api\/runs\/([^/]+)(?:\/([a-z]+))?$/.exec(asked.pathname) ?? [];
  const work = id === undefined ? undefined : ROUTES[`${asked.method} ${what}`.trim()];
  if (id === undefined || work === undefined) return undefined;
  // Somebody else's run is not there, whatever is asked of it.
  return async () => {
    const { runId } = await findRun(orchestrator, decoded(id), caller);
    return work(orchestrator, runId, asked);
  };
}

type Route = (orchestrator: Orchestrator, runId: string, asked: RouteRequest) => Promise<unknown>;

const ROUTES: { readonly [route: string]: Route } = {
  GET: (orchestrator, runId) => orchestrator.run(runId),
  "GET detail": (orchestrator, runId) => orchestrator.show(runId),
  "GET events": events,
  "GET export": (orchestrator, runId) => orchestrator.export(runId),
  "POST answer": answer,
  "POST resume": async (orchestrator, runId) => ({ answer: await orchestrator.resume(runId) }),
  "POST retry": (orchestrator, runId, { caller, searchParams, request }) => {
    const from = searchParams.get("from");
    const newRunId = idByKey(request.headers["idempotency-key"], caller);
    return orchestrator.retry(runId, {
      ...(from === null ? {} : { from }),
      ...(caller === undefined ? {} : { caller }),
      ...(newRunId === undefined ? {} : { task_id: newRunId }),
    });
  },
};

async function answer(
  orchestrator: Orchestrator,
  runId: string,
  { request, caller, onTaken }: RouteRequest,
): Promise<object> {
  const body = await readJson(request);
  if (typeof body !== "object" || body === null)
    throw invalid(["An answer is { requestId, values } or { requestId, decisions }."]);
  const reply = replySchemaFor(body).safeParse(body);
  if (!reply.success) throw invalid(describeIssues(reply.error));
  const { requests = [], userId } = (await orchestrator.run(runId)) ?? {};
  // Whoever is at this machine speaks for the user whose run it is.
  const user = caller?.id ?? userId;
  const told = await orchestrator.answer(runId, reply.data, {
    ...(user === undefined ? {} : { user }),
    through: "api",
  });
  if (told === "accepted") {
    const whose = { ...(user === undefined ? {} : { user }), ...(caller === undefined ? {} : { caller }) };
    // Where it asked anything else, its task is left to whoever answers that.
    if (requests.every(({ request }) => request.requestId === reply.data.requestId))
      onTaken({ runId, reply: reply.data, ...whose });
    return { runId, answer: told };
  }
  const { requestId } = reply.data;
  if (told === "duplicate") throw otherAnswer(requestId, await orchestrator.answered(runId, requestId));
  throw new InputError(
    "input.unsupported",
    `Run "${runId}" is over, so there is nothing to answer any more.`,
  );
}

async function events(orchestrator: Orchestrator, runId: string, asked: RouteRequest): Promise<undefined> {
  const { caller, clock, response } = asked;
  let last: number | undefined;
  const from = firstPosition(asked);
  await serveEvents(
    response,
    async function* (gone) {
      const options = { from, signal: gone, ...(caller === undefined ? {} : { caller }) };
      for await (const watched of orchestrator.watch(runId, options)) {
        last = watched.position;
        yield watched;
      }
    },
    {
      clock,
      idOf: () => (last === undefined ? undefined : String(last)),
      errorFrame: (error) => ({ error: toErrorInfo(error) }),
    },
  );
}

function firstPosition({ request, searchParams }: RouteRequest): number {
  const last = lastEventIdOf(request.headers);
  const from = last === undefined ? searchParams.get("from") : last;
  if (from === null) return 0;
  if (!/^\d{1,15}$/.test(from))
    throw new InputError("input.invalid", `"${from}" is no position. Positions count from 0.`);
  return Number(from) + (last === undefined ? 0 : 1);
}

/** What is no percent-encoding is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
