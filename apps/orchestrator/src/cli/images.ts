import { basename, resolve } from "node:path";

import type { RemoteRequest } from "@troupe/a2a/client";
import { artifactRefSchema, IMAGE_LIMITS, InputError, readImageFormat } from "@troupe/core";

import { readPlainBytes } from "../adapters/read-plain-file.ts";
import { ask } from "../adapters/get-json.ts";
import type { CliContext } from "./context.ts";
import { typed } from "./typed.ts";

export interface ImageToSend {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const PUT_MS = 60_000;

/** Reads and checks the images of `--file`. Throws an `InputError` for the first one that a model cannot take. */
export function readImages(context: CliContext, paths: readonly string[]): readonly ImageToSend[] {
  if (paths.length > IMAGE_LIMITS.images)
    throw new InputError(
      "input.invalid",
      `--file is given ${paths.length} times; a model is shown ${IMAGE_LIMITS.images} images at most.`,
    );
  const limit = { maxBytes: IMAGE_LIMITS.imageBytes, what: "an image for a model" };
  return paths.map((path) => {
    const bytes = readPlainBytes(resolve(context.cwd, path), { ...limit, shown: path });
    const format = readImageFormat(bytes);
    if (format === undefined)
      throw new InputError(
        "input.unsupported",
        `"${path}" is no PNG, JPEG, GIF or WebP image, and --file takes nothing else. Take documents and tables into a collection: ${typed(context, `ingest ${path}`)}.`,
      );
    const { mediaType, width, height } = format;
    if (Math.max(width, height) > IMAGE_LIMITS.edge)
      throw new InputError(
        "input.too-large",
        `"${path}" has ${width} x ${height} pixels, and a model takes ${IMAGE_LIMITS.edge} along an edge at most. Make it smaller.`,
      );
    return { name: basename(path), mediaType, bytes };
  });
}

/** Puts the images into the store of the orchestrator, for the request that names them. */
export async function putImages(
  { token, interrupted }: CliContext,
  url: string,
  images: readonly ImageToSend[],
): Promise<Pick<RemoteRequest, "files">> {
  const files = [];
  for (const { name, mediaType, bytes } of images) {
    const response = await ask(new URL(`/artifacts/${encodeURIComponent(name)}`, url).href, {
      method: "PUT",
      token,
      headers: { "Content-Type": mediaType },
      body: bytes,
      signal: AbortSignal.any([interrupted, AbortSignal.timeout(PUT_MS)]),
    });
    const stored = artifactRefSchema.parse(await response.json());
    files.push({ name, mediaType, url: stored.url });
  }
  return files.length === 0 ? {} : { files };
}
