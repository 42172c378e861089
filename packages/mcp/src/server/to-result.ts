import { loadImages, readStoredImage, type ArtifactStore, type ToolOutput } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";
import type { CallToolResult, ContentBlock, ResourceLink } from "@modelcontextprotocol/sdk/types.js";

import { artifactUri } from "../wire/artifact-uri.ts";
import { CHART_META, GIVEN_META, NAME_META, REVISION_META } from "../wire/meta.ts";

/**
 * A tool's output as MCP carries it: the text as content, files as links, everything that is data
 * as `structuredContent`. `client/convert-result.ts` is the way back. Where the tool declares an output
 * schema, a client expects `structuredContent` of every result but an error, even an empty one. `images` are those of the
 * output, from `imageContent`.
 */
export function toCallResult(
  output: ToolOutput,
  hasSchema: boolean,
  images: readonly ContentBlock[] = [],
): CallToolResult {
  const isError = output.isError === true;
  const structured = {
    ...(output.citations !== undefined && { citations: [...output.citations] }),
    ...(output.charts !== undefined && { charts: [...output.charts] }),
    ...(output.tables !== undefined && { tables: [...output.tables] }),
    ...(output.data !== undefined && { data: output.data }),
    ...(output.summary !== undefined && { summary: output.summary }),
  };
  return {
    content: [
      { type: "text", text: output.text },
      ...images,
      ...(output.artifacts ?? []).map(linkTo),
      ...(output.chartFiles ?? []).map(({ chartId, artifact }) => ({
        ...linkTo(artifact),
        _meta: { [CHART_META]: chartId },
      })),
      ...(output.revisions ?? []).map(({ of, artifact }) => ({
        ...linkTo(artifact),
        _meta: { [REVISION_META]: of },
      })),
    ],
    ...((Object.keys(structured).length > 0 || (hasSchema && !isError)) && { structuredContent: structured }),
    ...(isError && { isError }),
    ...(output.given !== undefined && { _meta: { [GIVEN_META]: output.given } }),
  };
}

function linkTo(ref: ArtifactRef): ResourceLink {
  return {
    type: "resource_link",
    uri: artifactUri(ref.id, ref.name),
    name: ref.name,
    mimeType: ref.mediaType,
    size: ref.bytes,
  };
}

export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * The images of an output with their bytes, for the model of the client; files for its user are in `artifacts`. A text
 * replaces an image that cannot be shown. Reads only files of `owner`.
 */
export async function imageContent(
  files: ArtifactStore | undefined,
  images: readonly ArtifactRef[],
  { owner, signal }: { readonly owner: string; readonly signal: AbortSignal },
): Promise<readonly ContentBlock[]> {
  const refs = new Map(images.map((ref) => [ref.id, ref]));
  const read = files && readStoredImage(files);
  const source = read && {
    read: async ({ id }: { readonly id: string }, options: { signal: AbortSignal; maxBytes: number }) => {
      const ref = refs.get(id);
      return ref === undefined ? new Uint8Array() : read(ref, { ...options, owner });
    },
  };
  const [message] = await loadImages([{ role: "user", text: "", images }], source, { signal });
  const loaded = message?.role === "user" ? (message.images ?? []) : [];
  return loaded.map(({ id, text, content }): ContentBlock => {
    if (content === undefined) return { type: "text", text };
    return {
      type: "image",
      data: Buffer.from(content.bytes).toString("base64"),
      mimeType: content.mediaType,
      annotations: { audience: ["assistant"] },
      _meta: { [NAME_META]: refs.get(id)?.name ?? "" },
    };
  });
}
