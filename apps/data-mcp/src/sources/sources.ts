import {
  listCollections,
  openDataSource,
  QueryError,
  type DataSource,
  type QueryResult,
} from "@troupe/analytics";
import { InputError, type Log, type ToolContext } from "@troupe/core";
import type { CollectionAccess } from "@troupe/service/mcp";
import type { Clock } from "@troupe/stream";

/** Collections open at a time; each holds a process. The one longest unused is closed for another. */
const MAX_OPEN = 6;

/** Data sources by collection, opened when first asked for. Results live as long as their source. */
export interface Sources {
  /**
   * Works with the source of a collection, which stays open meanwhile. Throws an `InputError` that names
   * the collections that the caller may read.
   */
  use<T>(
    caller: Caller,
    collection: string | undefined,
    work: (source: DataSource) => Promise<T>,
  ): Promise<T>;
  /** The collections that the caller may read, by name. */
  list(caller: Caller): Promise<readonly string[]>;
  /** A result of any open source whose collection the caller may read. */
  findResult(caller: Caller, id: string): Promise<QueryResult | undefined>;
  /** Work that goes on ends with an error that says so; it has ended when this resolves. */
  close(): Promise<void>;
}

/** For whom a tool is called. */
type Caller = Pick<ToolContext, "userId">;

interface Entry {
  readonly opening: Promise<DataSource>;
  source?: DataSource;
  users: number;
}

export function createSources(options: {
  readonly home: string;
  readonly clock: Clock;
  readonly access: CollectionAccess;
  readonly log: Log;
}): Sources {
  /** The longest unused first. */
  const entries = new Map<string, Entry>();
  const working = new Set<Promise<unknown>>();
  /** Work that has not got its source yet. */
  const pickings = new Set<Promise<unknown>>();
  let closed = false;

  const entryOf = (collection: string): Entry => {
    const entry = entries.get(collection) ?? {
      opening: openDataSource({ ...options, collection }),
      users: 0,
    };
    entries.delete(collection);
    entries.set(collection, entry);
    return entry;
  };

  const list = async ({ userId }: Caller): Promise<readonly string[]> => {
    const { mayRead } = await options.access.rightsOf(userId);
    return (await listCollections(options.home)).filter(mayRead);
  };

  const work = async <T>(
    caller: Caller,
    wanted: string | undefined,
    task: (source: DataSource) => Promise<T>,
  ): Promise<T> => {
    if (closed) throw new QueryError("query.engine", "The server is closing; ask again when it is back.");
    const picking = list(caller).then((names) => {
      const collection = pickCollection(names, wanted);
      const entry = entryOf(collection);
      entry.users++;
      return { collection, entry };
    });
    pickings.add(picking);
    const { collection, entry } = await picking.finally(() => pickings.delete(picking));
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
    list,
    use(caller, collection, task) {
      const done = work(caller, collection, task);
      const settled: Promise<unknown> = done.then(
        () => working.delete(settled),
        () => working.delete(settled),
      );
      working.add(settled);
      return done;
    },
    async findResult({ userId }, id) {
      const { mayRead } = await options.access.rightsOf(userId);
      for (const { source } of entries.values()) {
        const result = source?.result(id);
        if (result !== undefined) return mayRead(result.collection) ? result : undefined;
      }
      return undefined;
    },
    async close() {
      closed = true;
      await Promise.allSettled(pickings);
      const opened = await Promise.allSettled([...entries.values()].map(({ opening }) => opening));
      const sources = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      await Promise.all(sources.map((source) => source.close()));
      await Promise.all(working);
      entries.clear();
    },
  };
}

/** The one that is wanted, or the only one. What holds no tables may hold documents, of which nothing is known here. */
function pickCollection(names: readonly string[], wanted: string | undefined): string {
  const [only] = names;
  if (wanted === undefined) {
    if (only !== undefined && names.length === 1) return only;
    throw new InputError(
      "input.invalid",
      only === undefined
        ? "There is no data yet. Ingest CSV files into a collection first."
        : `Say which collection: ${names.join(", ")}.`,
    );
  }
  if (names.includes(wanted)) return wanted;
  const there = names.map((name) => `"${name}"`).join(", ");
  throw new InputError(
    "input.not-found",
    `No tables were taken in under "${wanted}"${there === "" ? ", nor under any other name" : `; tables are in ${there}`}.`,
  );
}
