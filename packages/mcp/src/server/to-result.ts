import type { ToolOutput } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";
import type { CallToolResult, ResourceLink } from "@modelcontextprotocol/sdk/types.js";

import { artifactUri } from "../wire/artifact-uri.ts";
import { CHART_META, GIVEN_META, REVISION_META } from "../wire/meta.ts";

/**
 * A tool's output as MCP carries it: the text as content, files as links, everything that is data
 * as `structuredContent`. `client/convert-result.ts` is the way back. Where the tool declares an output
 * schema, a client expects `structuredContent` of every result but an error, even an empty one.
 */
export function toCallResult(output: ToolOutput, hasSchema: boolean): CallToolResult {
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
