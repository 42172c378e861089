import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { InputError, StoreError } from "@troupe/core";
import { replaceFile } from "@troupe/core/node";
import type { Clock } from "@troupe/stream";

import { presentationSchema, type Presentation } from "../state/presentation.ts";
import { noPresentation, type PresentationStore } from "../state/presentation-store.ts";

export interface FilePresentationStoreOptions {
  readonly dir: string;
  readonly clock: Pick<Clock, "now">;
  /** Must not be guessable: who knows an id may change that presentation. */
  readonly newId: () => string;
  /** The oldest are dropped past this many. Default 200. */
  readonly max?: number;
  /** Replaces a file whole; another one in tests, to stand for a disk that is full. */
  readonly write?: (path: string, text: string) => Promise<void>;
}

/** Largest presentation kept, in UTF-16 units of its JSON. */
const MAX_SIZE = 16_000_000;
const ID = /^[A-Za-z0-9-]{8,64}$/;

/** One JSON file a presentation, written beside and renamed, so a crash leaves the last whole state. */
export function filePresentationStore(options: FilePresentationStoreOptions): PresentationStore {
  const { dir, clock, newId, max = 200, write = replaceFile } = options;
  const queues = new Map<string, Promise<unknown>>();
  const pathOf = (id: string): string => join(dir, `${id}.json`);

  const save = async (presentation: Presentation): Promise<Presentation> => {
    const text = JSON.stringify(presentation);
    if (text.length > MAX_SIZE) {
      throw new InputError(
        "input.too-large",
        "The presentation is too large. Start another one, or use fewer table rows.",
      );
    }
    try {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await write(pathOf(presentation.id), text);
    } catch (error) {
      throw storeError(error);
    }
    return presentation;
  };

  const read = async (id: string): Promise<Presentation> => {
    const text = ID.test(id) ? await readFile(pathOf(id), "utf8").catch(ifMissing) : undefined;
    if (text === undefined) throw noPresentation(id);
    try {
      return presentationSchema.parse(JSON.parse(text));
    } catch (error) {
      throw new StoreError(
        "store.corrupt",
        `The stored presentation "${id}" cannot be read. Create it anew.`,
        { cause: error },
      );
    }
  };

  /** Calls for one presentation wait for each other: a round of parallel calls loses none. */
  const inOrder = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const result = (queues.get(id) ?? Promise.resolve()).then(work, work);
    const settled = result.catch(() => undefined);
    queues.set(id, settled);
    void settled.then(() => queues.get(id) === settled && queues.delete(id));
    return result;
  };

  return {
    async create(presentation) {
      const created = await save({ v: 1, id: newId(), updated: clock.now(), saved: false, ...presentation });
      await dropOldest(dir, max, created.id);
      return created;
    },
    read,
    update: (id, change) =>
      inOrder(id, async () => {
        const before = await read(id);
        return save({ ...change(before), updated: clock.now() });
      }),
    markSaved: (id) =>
      inOrder(id, async () => {
        await save({ ...(await read(id)), saved: true });
      }),
  };
}

async function dropOldest(dir: string, max: number, keep: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".json") && name !== `${keep}.json`);
  if (names.length < max) return;
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      time: (await stat(join(dir, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const old = aged.sort((a, b) => a.time - b.time).slice(0, names.length - max + 1);
  await Promise.all(old.map(({ name }) => rm(join(dir, name), { force: true })));
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw storeError(error);
}

function storeError(error: unknown): StoreError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new StoreError(
      "store.full",
      "The disk is full, so this change was not kept; everything before it was. Free some space and call again.",
      { cause: error, retryable: true },
    );
  }
  return new StoreError("store.io", "The presentation could not be stored or read. Call again.", {
    cause: error,
    retryable: true,
  });
}
