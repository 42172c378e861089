import {
  isTroupeError,
  type ArtifactStore,
  type ChartFile,
  type FileRevision,
  type Log,
  type ToolOutput,
} from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

import { isArtifactUri } from "../wire/artifact-uri.ts";
import { CHART_META, GIVEN_META, NAME_META, REVISION_META } from "../wire/meta.ts";
import { capText } from "./cap-text.ts";
import { convertStructured } from "./convert-structured.ts";
import { inlineName, safeFileName, safeMediaType } from "./file-name.ts";
import { contentSchema, type CallResult, type Content } from "./wire-schemas.ts";

const MAX_ITEMS = 1_000;
const MAX_FILES = 32;
const MAX_KEY = 256;

/** One content of `resources/read`. */
export interface ResourceContent {
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
}

export interface ConvertOptions {
  readonly artifacts?: ArtifactStore;
  /** Whose the files are. */
  readonly owner: string;
  readonly maxTextBytes: number;
  /** Reads a linked resource; absent when the server has none. */
  readonly read?: (uri: string) => Promise<ResourceContent>;
  /** Aborts when the caller gave up; a file that takes too long is only left out. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * A server's result as a tool's output: text capped, structured content checked, files stored.
 * Nothing in a result can make this throw; what cannot be used is left out, in the text where a
 * model should know, and logged.
 */
export async function convertResult(result: CallResult, options: ConvertOptions): Promise<ToolOutput> {
  const { log } = options;
  const texts: string[] = [];
  const artifacts: ArtifactRef[] = [];
  const images: ArtifactRef[] = [];
  const chartFiles: ChartFile[] = [];
  const revisions: FileRevision[] = [];
  const { output, dropped } = convertStructured(result.structuredContent);
  let inline = 0;
  let files = 0;

  const keep = async (
    name: string,
    mediaType: string,
    content: () => Promise<Uint8Array>,
    to: (artifact: ArtifactRef) => void = (artifact) => void artifacts.push(artifact),
  ): Promise<boolean> => {
    if (!options.artifacts) {
      texts.push(`[file "${name}" was left out: there is nowhere to put files]`);
      return false;
    }
    if (files >= MAX_FILES) {
      texts.push(`[file "${name}" was left out: at most ${MAX_FILES} are taken from one call]`);
      return false;
    }
    try {
      const meta = { name, mediaType, owner: options.owner };
      to(await options.artifacts.put(await content(), meta));
      files++;
      return true;
    } catch (error) {
      options.signal.throwIfAborted();
      log.warn("a tool's file could not be taken over", { name, error });
      const why = isTroupeError(error) ? error.message : "it could not be read";
      texts.push(`[file "${name}" was left out: ${why}]`);
      return false;
    }
  };

  const keepInline = async (kind: string, mimeType: string | undefined, base64: string): Promise<void> => {
    const mediaType = safeMediaType(mimeType);
    const name = inlineName(kind, ++inline, mediaType);
    if (await keep(name, mediaType, async () => decode(base64))) texts.push(`[${kind}: ${name}]`);
  };

  /** Shown to the model, and a file of the answer unless it is for the model alone. */
  const keepImage = async (item: Extract<Content, { readonly type: "image" }>): Promise<void> => {
    const mediaType = safeMediaType(item.mimeType);
    const fallback = inlineName("image", ++inline, mediaType);
    const called = item["_meta"]?.[NAME_META];
    const name = typeof called === "string" ? safeFileName(called, fallback) : fallback;
    const audience = item.annotations?.audience ?? [];
    const forModel = audience.length > 0 && !audience.includes("user");
    const kept = await keep(
      name,
      mediaType,
      async () => decode(item.data),
      (artifact) => {
        if (!forModel) artifacts.push(artifact);
        if (result.isError !== true) images.push(artifact);
      },
    );
    if (kept) texts.push(`[image: ${name}]`);
  };

  const add = async (item: Content): Promise<void> => {
    switch (item.type) {
      case "text":
        texts.push(item.text);
        return;
      case "image":
        return keepImage(item);
      case "audio":
        return keepInline(item.type, item.mimeType, item.data);
      case "resource":
        if (item.resource.blob !== undefined)
          return keepInline("file", item.resource.mimeType, item.resource.blob);
        if (item.resource.text !== undefined) texts.push(item.resource.text);
        return;
      case "resource_link": {
        const { read } = options;
        const name = safeFileName(item.name ?? item.uri, "file");
        const chart = output.charts?.find(({ id }) => id === item["_meta"]?.[CHART_META]);
        const of = revisionOf(item["_meta"]?.[REVISION_META]);
        const kept =
          read !== undefined &&
          (await keep(
            name,
            safeMediaType(item.mimeType),
            async () => bytesOf(await read(item.uri)),
            chart === undefined
              ? of === undefined
                ? undefined
                : (artifact) => void revisions.push({ of, artifact })
              : (artifact) => void chartFiles.push({ chartId: chart.id, artifact }),
          ));
        // Our own tools speak of their files themselves; of a stranger's the model would not know.
        if (kept && !isArtifactUri(item.uri)) texts.push(`[file: ${name}]`);
        if (read === undefined) texts.push(`[link: ${item.uri.slice(0, 500)}]`);
      }
    }
  };

  for (const entry of result.content.slice(0, MAX_ITEMS)) {
    const item = contentSchema.safeParse(entry);
    if (item.success) await add(item.data);
    else log.warn("a tool's result holds content that is not MCP", {});
  }
  if (result.content.length > MAX_ITEMS)
    texts.push(`[${result.content.length - MAX_ITEMS} more items were left out]`);

  if (dropped.length > 0)
    log.warn("a tool's structured content was dropped", { dropped: dropped.slice(0, 10) });
  // Servers should repeat their data as text; a model must not face an empty result when one does not.
  if (texts.length === 0 && output.data !== undefined) texts.push(JSON.stringify(output.data));

  const given = result["_meta"]?.[GIVEN_META];
  return {
    text: capText(texts.join("\n"), options.maxTextBytes),
    ...output,
    ...(typeof given === "string" && { given: capText(given, options.maxTextBytes) }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(images.length > 0 && { images }),
    ...(chartFiles.length > 0 && { chartFiles }),
    ...(revisions.length > 0 && { revisions }),
    ...(result.isError === true && { isError: true }),
  };
}

function revisionOf(meta: unknown): string | undefined {
  return typeof meta === "string" && meta !== "" && meta.length <= MAX_KEY ? meta : undefined;
}

function bytesOf(content: ResourceContent): Uint8Array {
  return content.blob === undefined ? Buffer.from(content.text ?? "") : decode(content.blob);
}

function decode(base64: string): Uint8Array {
  return Buffer.from(base64, "base64");
}
