import { listCollections, openDataSource, type DataSource, type QueryResult } from "@troupe/analytics";
import { InputError, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

/** Collections open at a time; each holds a process. The one longest unused is closed for another. */
const MAX_OPEN = 6;

/** Data sources by collection, opened when first asked for. Results live as long as their source. */
export interface Sources {
  /** Throws an `InputError` that names the collections there are. */
  get(collection: string | undefined): Promise<DataSource>;
  /** A result of any open source. */
  findResult(id: string): { readonly source: DataSource; readonly result: QueryResult } | undefined;
  close(): Promise<void>;
}

export function createSources(options: {
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
}): Sources {
  const open = new Map<string, Promise<DataSource>>();

  const openOne = (collection: string): Promise<DataSource> => {
    const opening = openDataSource({ ...options, collection });
    open.set(collection, opening);
    opening.then(
      (source) => loaded.set(collection, source),
      () => open.delete(collection),
    );
    return opening;
  };
  const loaded = new Map<string, DataSource>();

  const closeOldest = async (): Promise<void> => {
    const [oldest] = open.keys();
    if (oldest === undefined || open.size <= MAX_OPEN) return;
    const source = await open.get(oldest);
    open.delete(oldest);
    loaded.delete(oldest);
    await source?.close();
  };

  return {
    async get(wanted) {
      const collection = wanted ?? (await onlyCollection(options.home));
      const known = open.get(collection);
      if (known === undefined) {
        const source = await openOne(collection);
        await closeOldest();
        return source;
      }
      open.delete(collection);
      open.set(collection, known);
      return known;
    },
    findResult(id) {
      for (const source of loaded.values()) {
        const result = source.result(id);
        if (result !== undefined) return { source, result };
      }
      return undefined;
    },
    async close() {
      await Promise.all([...loaded.values()].map((source) => source.close()));
      open.clear();
      loaded.clear();
    },
  };
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
