import type { ToolOutput } from "@troupe/core";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

import { artifactUri } from "../wire/artifact-uri.ts";

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
    ...(output.data !== undefined && { data: output.data }),
    ...(output.summary !== undefined && { summary: output.summary }),
  };
  return {
    content: [
      { type: "text", text: output.text },
      ...(output.artifacts ?? []).map((ref) => ({
        type: "resource_link" as const,
        uri: artifactUri(ref.id, ref.name),
        name: ref.name,
        mimeType: ref.mediaType,
        size: ref.bytes,
      })),
    ],
    ...((Object.keys(structured).length > 0 || (hasSchema && !isError)) && { structuredContent: structured }),
    ...(isError && { isError }),
  };
}

export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
