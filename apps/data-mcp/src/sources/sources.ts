import {
  listCollections,
  openDataSource,
  QueryError,
  type DataSource,
  type QueryResult,
} from "@troupe/analytics";
import { InputError, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** Collections open at a time; each holds a process. The one longest unused is closed for another. */
const MAX_OPEN = 6;

/** Data sources by collection, opened when first asked for. Results live as long as their source. */
export interface Sources {
  /**
   * Works with the source of a collection, which stays open meanwhile. Throws an `InputError` that names
   * the collections there are.
   */
  use<T>(collection: string | undefined, work: (source: DataSource) => Promise<T>): Promise<T>;
  /** A result of any open source. */
  findResult(id: string): { readonly source: DataSource; readonly result: QueryResult } | undefined;
  /** Work that goes on ends with an error that says so; it has ended when this resolves. */
  close(): Promise<void>;
}

interface Entry {
  readonly opening: Promise<DataSource>;
  source?: DataSource;
  users: number;
}

export function createSources(options: {
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
}): Sources {
  /** The longest unused first. */
  const entries = new Map<string, Entry>();
  const working = new Set<Promise<unknown>>();
  let closed = false;

  const entryOf = (collection: string): Entry => {
    const entry = entries.get(collection) ?? {
      opening: open(options, collection),
      users: 0,
    };
    entries.delete(collection);
    entries.set(collection, entry);
    return entry;
  };

  const work = async <T>(
    wanted: string | undefined,
    task: (source: DataSource) => Promise<T>,
  ): Promise<T> => {
    const collection = wanted ?? (await onlyCollection(options.home));
    if (closed) throw new QueryError("query.engine", "The server is closing; ask again when it is back.");
    const entry = entryOf(collection);
    entry.users++;
    try {
      entry.source = await entry.opening;
      return await task(entry.source);
    } finally {
      entry.users--;
      if (entry.source === undefined && entries.get(collection) === entry) entries.delete(collection);
      await closeUnused();
    }
  };

  const closeUnused = async (): Promise<void> => {
    for (const [collection, entry] of entries) {
      if (entries.size <= MAX_OPEN) return;
      if (entry.users > 0) continue;
      entries.delete(collection);
      await entry.source?.close();
    }
  };

  return {
    use(collection, task) {
      const done = work(collection, task);
      const settled: Promise<unknown> = done.then(
        () => working.delete(settled),
        () => working.delete(settled),
      );
      working.add(settled);
      return done;
    },
    findResult(id) {
      for (const { source } of entries.values()) {
        const result = source?.result(id);
        if (source !== undefined && result !== undefined) return { source, result };
      }
      return undefined;
    },
    async close() {
      closed = true;
      const opened = await Promise.allSettled([...entries.values()].map(({ opening }) => opening));
      const sources = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      await Promise.all(sources.map((source) => source.close()));
      await Promise.all(working);
      entries.clear();
    },
  };
}

/** What holds no tables may hold documents, of which nothing is known here. */
async function open(options: Parameters<typeof createSources>[0], collection: string): Promise<DataSource> {
  const names = await listCollections(options.home);
  if (names.includes(collection)) return openDataSource({ ...options, collection });
  const there = names.map((name) => `"${name}"`).join(", ");
  throw new InputError(
    "input.not-found",
    `No tables were taken in under "${collection}"${there === "" ? ", nor under any other name" : `; tables are in ${there}`}.`,
  );
}

async function onlyCollection(home: string): Promise<string> {
  const names = await listCollections(home);
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  throw new InputError(
    "input.invalid",
    only === undefined
      ? "There is no data yet. Ingest CSV files into a collection first."
      : `Say which collection: ${names.join(", ")}.`,
  );
}
