import type { Part } from "@a2a-js/sdk";
import { artifactRefSchema, type UnreadFile } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

import { EXT } from "./extension.ts";
import { isObject } from "./json.ts";
import { filePart } from "./parts.ts";

/** Other schemes, such as `file:` and `javascript:`, are dangerous to follow. */
export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** Files given by an address of others. Servers read only files that are in their store. */
export function unreadFilesIn(parts: readonly Part[]): readonly UnreadFile[] {
  return parts.flatMap((part) =>
    part.content?.$case === "url" && storedFileOf(part) === undefined
      ? [{ name: part.filename, url: part.content.value }]
      : [],
  );
}

/** A file that stands in our store, by its address, with what is known of it. */
export function storedFilePart(ref: ArtifactRef, part: Part): Part {
  return {
    ...filePart(ref.url, ref.name, ref.mediaType),
    metadata: { ...part.metadata, [EXT]: { v: 1, kind: "file", file: ref } },
  };
}

/** A part as a stranger sent it: it cannot say that it is one of our files. */
export function unmarkedPart(part: Part): Part {
  return markOf(part) === undefined ? part : { ...part, metadata: { ...part.metadata, [EXT]: undefined } };
}

/** The file of a part that the server has marked; undefined for any other. */
export function storedFileOf(part: Part): ArtifactRef | undefined {
  const mark = markOf(part);
  // Of most parts: a schema that refuses makes an error that outlives the call.
  if (mark === undefined) return undefined;
  const parsed = artifactRefSchema.safeParse(mark);
  return parsed.success ? parsed.data : undefined;
}

function markOf(part: Part): unknown {
  const marked: unknown = part.metadata?.[EXT];
  return isObject(marked) && marked["kind"] === "file" ? (marked["file"] ?? null) : undefined;
}
