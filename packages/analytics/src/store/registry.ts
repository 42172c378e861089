import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

import { assertCollectionName, InputError, nearestNames, StoreError } from "@troupe/core";
import { replaceFile } from "@troupe/core/node";
import { z } from "zod";

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const registrySchema = z.object({
  v: z.literal(1),
  collection: z.string(),
  /** File name of the tables, in the same folder. */
  database: z.string().regex(/^tables-[A-Za-z0-9-]+\.duckdb$/),
  tables: z.array(
    z.object({
      name: z.string(),
      source: z.string(),
      rows: z.number(),
      rejected: z.number(),
      notes: z.array(z.string()).optional(),
      doubtfulTotal: z.boolean().optional(),
      columns: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          role: z.enum(["measure", "date", "category", "id", "constant"]),
          nulls: z.number(),
          distinct: z.number(),
          min: cell,
          max: cell,
          samples: z.array(cell),
          rejected: z.number().optional(),
        }),
      ),
    }),
  ),
});

/**
 * What a collection holds. The file is the pointer to the tables: replacing it, one rename, is what
 * makes new data visible, whole or not at all.
 */
export type Registry = z.output<typeof registrySchema>;

const FILE = "registry.json";

export function collectionFolder(home: string, collection: string): string {
  assertCollectionName(collection);
  return join(home, "data", collection);
}

/** Undefined when the collection has never been filled. */
export async function readRegistry(home: string, collection: string): Promise<Registry | undefined> {
  const path = join(collectionFolder(home, collection), FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StoreError("store.io", `The data collection "${collection}" cannot be read.`, { cause: error });
  }
  const parsed = registrySchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new StoreError(
    "store.corrupt",
    `The registry of the data collection "${collection}" is damaged (data/${collection}/${FILE} in the home folder); ingest its files again.`,
    { cause: parsed.error },
  );
}

export async function writeRegistry(home: string, registry: Registry): Promise<void> {
  await replaceFile(
    join(collectionFolder(home, registry.collection), FILE),
    JSON.stringify(registry, null, 1),
  );
}

/**
 * Moves a damaged registry and the tables beside it out of the way, except the new database: nothing is deleted.
 * @returns the name the registry has now
 */
export async function setAsideDamaged(
  home: string,
  collection: string,
  newDatabase: string,
): Promise<string> {
  const folder = collectionFolder(home, collection);
  const names = await readdir(folder);
  let number = 1;
  while (names.includes(`${FILE}.damaged-${number}`)) number++;
  for (const name of names)
    if (/^tables-.*\.duckdb$/.test(name) && name !== newDatabase)
      await rename(join(folder, name), join(folder, `damaged-${number}.${name}`));
  const aside = `${FILE}.damaged-${number}`;
  await rename(join(folder, FILE), join(folder, aside));
  return aside;
}

/** Collections that hold data, by name. */
export async function listCollections(home: string): Promise<readonly string[]> {
  const names = await readdir(join(home, "data"), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of names) {
    if (!entry.isDirectory()) continue;
    const files = await readdir(join(home, "data", entry.name)).catch((): string[] => []);
    if (files.includes(FILE)) found.push(entry.name);
  }
  return found.sort();
}

/** The registry of a collection that must exist. */
export async function requireRegistry(home: string, collection: string): Promise<Registry> {
  const registry = await readRegistry(home, collection);
  if (registry !== undefined) return registry;
  const names = await listCollections(home);
  const close = nearestNames(collection, names);
  const known =
    names.length === 0 ? "There is no data yet; ingest CSV files first." : `There is: ${names.join(", ")}.`;
  const hint = close.length === 0 ? known : `Did you mean "${close[0]}"? ${known}`;
  throw new InputError("input.not-found", `There is no data collection "${collection}". ${hint}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
