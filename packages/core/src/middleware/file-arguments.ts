import type { ArtifactRef, Json, JsonObject } from "@troupe/stream";

import type { ArtifactStore } from "../ports/artifact-store.ts";
import { isList, isObject } from "../schemas/json-value.ts";
import { clip } from "../text/clip.ts";
import type { Filled, Middleware, RunView } from "./middleware.ts";
import { readTextArtifact } from "./read-text-artifact.ts";

const MAX_BYTES = 256 * 1024;
/** Per call: a call that names more wants something else. */
const MAX_FILES = 8;
const MAX_LISTED = 30;

/**
 * Lets the model hand a whole text file to a tool without writing it out: where a tool takes text,
 * `{ "file": "<artifact id>" }` is replaced by the text of that file. Only files of the person the run
 * works for, only text, at most 256 KiB for a call; anything else is refused and the model told why.
 */
export function fileArguments(
  artifacts: ArtifactStore,
  options: { readonly maxBytes?: number } = {},
): Middleware {
  const { maxBytes = MAX_BYTES } = options;
  return {
    name: "file-arguments",
    beforeModel(request, run) {
      if (request.tools.length === 0 || run.files.length === 0) return request;
      return { ...request, system: `${request.system}\n\n${rule(run.files)}` };
    },
    fillArguments(call, run) {
      const ids: string[] = [];
      mapFiles(call.tool.definition.inputSchema, call.arguments, (id) => {
        ids.push(id);
        return null;
      });
      return ids.length === 0
        ? undefined
        : fill(call.tool.definition.inputSchema, call.arguments, ids, run, { artifacts, maxBytes });
    },
  };
}

function rule(files: readonly ArtifactRef[]): string {
  const lines = files
    .slice(-MAX_LISTED)
    .map(
      (file) =>
        `- ${clip(file.id, 200)}: ${clip(JSON.stringify(file.name), 120)} (${clip(file.mediaType, 60)}, ${file.bytes} bytes)`,
    );
  return `Where a tool takes text you may hand it a text file instead of writing it out: {"file": "<id>"}. Files at hand:\n${lines.join("\n")}`;
}

async function fill(
  schema: JsonObject,
  args: Json,
  ids: readonly string[],
  run: RunView,
  { artifacts, maxBytes }: { readonly artifacts: ArtifactStore; readonly maxBytes: number },
): Promise<Filled> {
  // Each place counts: one file named in a thousand places is a thousand files to the tool.
  if (ids.length > MAX_FILES) {
    return { refuse: `One call may take at most ${MAX_FILES} files; this one names ${ids.length}.` };
  }
  const texts = new Map<string, string>();
  let left = maxBytes;
  for (const id of ids) {
    const read = await readTextArtifact(artifacts, id, { owner: run.userId ?? "", maxBytes: left }).catch(
      (error: unknown) => {
        run.log.warn("a file for an argument could not be read", { runId: run.runId, file: id, error });
        return { refuse: `The file ${JSON.stringify(clip(id, 80))} cannot be read right now.` };
      },
    );
    if ("refuse" in read) return read;
    left -= read.bytes;
    texts.set(id, read.text);
  }
  return { arguments: mapFiles(schema, args, (id) => texts.get(id) ?? null) };
}

/** Walks value and schema side by side; what a tool takes as an object of its own is left alone. */
function mapFiles(schema: Json | undefined, value: Json, replace: (id: string) => Json): Json {
  if (!isObject(schema)) return value;
  const id = fileOf(value);
  if (id !== undefined && takes(schema, "string")) return takes(schema, "object") ? value : replace(id);
  let mapped = value;
  for (const branch of [schema["anyOf"], schema["oneOf"], schema["allOf"]]) {
    if (isList(branch)) for (const option of branch) mapped = mapFiles(option, mapped, replace);
  }
  const { items, properties } = schema;
  if (isList(mapped)) return mapped.map((entry) => mapFiles(items, entry, replace));
  if (isObject(mapped) && isObject(properties)) {
    return Object.fromEntries(
      Object.entries(mapped).map(([key, entry]) => [
        key,
        mapFiles(Object.hasOwn(properties, key) ? properties[key] : undefined, entry, replace),
      ]),
    );
  }
  return mapped;
}

function fileOf(value: Json): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const id = Object.hasOwn(value, "file") ? value["file"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** A schema without a type takes anything, so it takes the object as it is. */
function takes(schema: JsonObject, type: "string" | "object"): boolean {
  const own = schema["type"];
  if (own !== undefined) return own === type || (isList(own) && own.includes(type));
  const options = [schema["anyOf"], schema["oneOf"]].filter(isList).flat();
  if (options.length === 0) return true;
  return options.some((option) => isObject(option) && takes(option, type));
}
