import { existsSync } from "node:fs";

import { InputError, isTroupeError } from "@troupe/core";
import type { RunDetail, RunExport, RunView } from "@troupe/workflow";

import { ask, getJson } from "../adapters/get-json.ts";
import { watchEvents } from "../adapters/watch-events.ts";
import { unservedView } from "../orchestrator/interruption.ts";
import type { RunsFilter } from "../orchestrator/list-runs.ts";
import { runsOnRecord, type RunsOnRecord } from "../orchestrator/runs-on-record.ts";
import { openRecords, runsFile } from "../orchestrator/state.ts";
import { storedEvents, type WatchedEvent } from "../orchestrator/watch-run.ts";
import { findRun as findAmong, noRun } from "../server/find-run.ts";
import type { CliContext } from "./context.ts";
import { describeImported, findImported, importedViews, readImported } from "./imported-runs.ts";
import { findRunning } from "./servers.ts";
import { journaledElsewhere } from "./journaled-elsewhere.ts";

/** The run of a running orchestrator with this id, or with the only id that begins like this. */
export async function findRun(url: string, id: string, token?: string): Promise<RunView> {
  return (await getJson(addressOf(url, id), token)) as RunView;
}

/**
 * Address of what a running orchestrator has of a run. Throws an `InputError` for an id that is no part of
 * an address: no run is called so.
 */
export function addressOf(url: string, id: string, what?: string): string {
  if (["", ".", ".."].includes(id)) throw new InputError("input.not-found", noRun(id));
  return `${url}/api/runs/${encodeURIComponent(id)}${what === undefined ? "" : `/${what}`}`;
}

/** The runs of a home. An id may be cut short; one that names none or several is an `InputError`. */
export interface KnownRuns {
  /** Of the orchestrator that runs; undefined where none does. */
  readonly url: string | undefined;
  list(filter: RunsFilter): Promise<readonly RunView[]>;
  find(id: string): Promise<RunView>;
  show(id: string): Promise<RunDetail>;
  export(id: string): Promise<RunExport>;
  /** Events from a position on: to the end of the run, or as far as its orchestrator lives. */
  watch(
    id: string,
    options: { readonly from: number; readonly signal: AbortSignal },
  ): AsyncIterable<WatchedEvent>;
}

/** Works with the runs of the home: those its orchestrator tells of, or those on record where none runs. */
export async function withRuns<T>(context: CliContext, use: (runs: KnownRuns) => Promise<T>): Promise<T> {
  const work = (own: KnownRuns): Promise<T> => use(withImported(context, own));
  const url = await findRunning(context.home);
  if (url !== undefined) return work(served(context, url));
  if (journaledElsewhere(context))
    throw new InputError(
      "input.unsupported",
      "Runs are journaled by Restate (TROUPE_ENGINE), and no orchestrator of this home runs that could be asked for them. Start one, such as with `up`.",
    );
  if (!existsSync(runsFile(context.home))) return work(onRecord(none, async () => []));
  const records = openRecords(context);
  try {
    return await work(
      onRecord(
        runsOnRecord(records, async (views) => views.map(unservedView)),
        (id) => storedEvents(records, id),
      ),
    );
  } finally {
    records.close();
  }
}

const none: RunsOnRecord = {
  runs: async () => [],
  run: async () => null,
  show: async () => null,
  export: async (runId) => {
    throw new InputError("input.not-found", `There is no run "${runId}".`);
  },
};

/** A long run is put together and sent. */
const EXPORT_MS = 120_000;

function served({ token, interrupted }: CliContext, url: string): KnownRuns {
  return {
    url,
    list: async (filter) =>
      (await getJson(`${url}/api/runs?${queryOf(filter)}`, token)) as readonly RunView[],
    find: (id) => findRun(url, id, token),
    show: async (id) => (await getJson(addressOf(url, id, "detail"), token)) as RunDetail,
    async export(id) {
      const signal = AbortSignal.any([interrupted, AbortSignal.timeout(EXPORT_MS)]);
      return (await (await ask(addressOf(url, id, "export"), { token, signal })).json()) as RunExport;
    },
    watch: (id, options) => watchEvents(addressOf(url, id, "events"), { ...options, token }),
  };
}

function onRecord(
  records: RunsOnRecord,
  events: (runId: string) => Promise<readonly WatchedEvent[]>,
): KnownRuns {
  const find = (id: string): Promise<RunView> => findAmong(records, id);
  return {
    url: undefined,
    list: (filter) => records.runs(filter),
    find,
    async show(id) {
      const { runId } = await find(id);
      const detail = await records.show(runId);
      // It was there a moment ago, and nothing removes runs.
      if (detail === null) throw new TypeError(`run ${runId} is gone`);
      return detail;
    },
    export: async (id) => records.export((await find(id)).runId),
    async *watch(id, { from }) {
      yield* (await events((await find(id)).runId)).slice(from);
    },
  };
}

function queryOf({ status = [], limit, before }: RunsFilter): string {
  const query = new URLSearchParams();
  for (const one of status) query.append("status", one);
  if (limit !== undefined) query.set("limit", String(limit));
  if (before !== undefined) query.set("before", before);
  return query.toString();
}

/** The same, and behind them the runs that were imported: they are shown, and are nobody's to change. */
function withImported(context: CliContext, own: KnownRuns): KnownRuns {
  const orImported = async <T>(
    id: string,
    of: () => Promise<T>,
    orElse: (view: RunView) => T,
  ): Promise<T> => {
    try {
      return await of();
    } catch (error) {
      const found =
        isTroupeError(error) && error.code === "input.not-found" ? findImported(context, id) : undefined;
      if (found === undefined) throw error;
      return orElse(found);
    }
  };
  return {
    url: own.url,
    async list(filter) {
      const views = await own.list(filter);
      const { status, limit = 100, before } = filter;
      if (before !== undefined || views.length >= limit) return views;
      const fitting = importedViews(context).filter((view) => status?.includes(view.status) ?? true);
      return [...views, ...fitting.slice(0, limit - views.length)];
    },
    find: (id) =>
      orImported(
        id,
        () => own.find(id),
        (view) => view,
      ),
    show: (id) =>
      orImported(
        id,
        () => own.show(id),
        (view) => describeImported(context, view),
      ),
    export: (id) =>
      orImported(
        id,
        () => own.export(id),
        ({ runId }) => readImported(context, runId),
      ),
    async *watch(id, options) {
      const imported = findImported(context, id);
      if (imported === undefined || imported.runId !== id) yield* own.watch(id, options);
      else
        yield* readImported(context, id)
          .events.filter(({ position }) => position >= options.from)
          .map(({ position, event }) => ({ position, event: { ...event, seq: position } }));
    },
  };
}

/** Throws an `InputError` for a run that was imported: there is nobody who could do anything with it. */
export async function requireOwn(context: CliContext, id: string): Promise<void> {
  // What else is wrong with it is told by whoever is asked to do something.
  const found = await withRuns(context, (runs) => runs.find(id)).catch(() => undefined);
  if (found?.importedAt !== undefined)
    throw new InputError(
      "input.unsupported",
      `Run ${found.runId} was imported: it can be shown, watched and replayed, and nothing else.`,
    );
}
