import type { Part } from "@a2a-js/sdk";
import { artifactRefSchema } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

import { EXT } from "./extension.ts";
import { isObject } from "./json.ts";
import { filePart } from "./parts.ts";

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
