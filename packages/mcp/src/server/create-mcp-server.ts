import { systemClock, type ArtifactStore, type Log, type Tool, type ToolProgress } from "@troupe/core";
import type { Clock, Json } from "@troupe/stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type Tool as WireTool,
} from "@modelcontextprotocol/sdk/types.js";

import { onError } from "../adapters/sdk-hooks.ts";
import { ARTIFACT_SCHEME } from "../wire/artifact-uri.ts";
import { ORDERED_META, readMeta } from "../wire/meta.ts";
import { artifactResources } from "./artifact-resources.ts";
import { runTool } from "./run-tool.ts";

export interface McpServerOptions {
  /** Kebab-case, such as `rag-mcp`. */
  readonly name: string;
  readonly version: string;
  /** For the model behind the client: what this server is for and in which order to call. */
  readonly instructions?: string;
  /** A function is asked at every list and call, so tools may come and go. */
  readonly tools: readonly Tool[] | (() => readonly Tool[]);
  /**
   * Where the files of tools are read from: those of the user in whose name the client asks, `""` where
   * it names none, as in `context.userId` of a call. Without it the server has no resources.
   */
  readonly artifacts?: ArtifactStore;
  /** Largest file that is sent, in bytes. 32 MB by default. */
  readonly maxResourceBytes?: number;
  readonly log: Log;
  readonly clock?: Clock;
  readonly newId: () => string;
}

/** One MCP server on one connection. A server for many clients makes one for each. */
export interface McpServer {
  connect(transport: Transport): Promise<void>;
  /** Tells the client to list the tools again. */
  toolsChanged(): Promise<void>;
  close(): Promise<void>;
}

/** Serves core tools over MCP, with their JSON Schema unchanged. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { log, newId, clock = systemClock } = options;
  const currentTools = (): readonly Tool[] =>
    typeof options.tools === "function" ? options.tools() : options.tools;

  const server = new Server(
    { name: options.name, version: options.version },
    {
      capabilities: { tools: { listChanged: true }, ...(options.artifacts && { resources: {} }) },
      ...(options.instructions !== undefined && { instructions: options.instructions }),
    },
  );
  onError(server, (error) => log.debug("mcp protocol", { reason: error.message }));

  const resources =
    options.artifacts &&
    artifactResources(options.artifacts, { maxBytes: options.maxResourceBytes ?? 32 * 1024 * 1024, log });

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: currentTools().map(toWireTool) }));

  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const { name, arguments: args = {}, _meta: meta } = request.params;
    const token = meta?.progressToken;
    const progress =
      token === undefined
        ? undefined
        : ({ done, ...rest }: ToolProgress): void => {
            const params = { progressToken: token, progress: done, ...rest };
            // A client that is gone ends the call itself; there is nothing to add here.
            extra.sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
          };
    const { result, artifacts } = await runTool(
      { name, arguments: args as Json, meta, signal: extra.signal, ...(progress && { progress }) },
      { tools: currentTools(), server: options.name, log, clock, newId },
    );
    resources?.remember(artifacts);
    return result;
  });

  if (resources) {
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resources.list()] }));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [
        {
          uriTemplate: `${ARTIFACT_SCHEME}://{id}/{name}`,
          name: "artifact",
          description: "A file a tool made.",
        },
      ],
    }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri, _meta: meta } }) =>
      resources.read(uri, readMeta(meta).userId ?? ""),
    );
  }

  return {
    connect: (transport) => server.connect(transport),
    toolsChanged: () => server.sendToolListChanged(),
    close: () => server.close(),
  };
}

function toWireTool({ definition, annotations, outputSchema, idempotent, ordered }: Tool): WireTool {
  return {
    name: definition.name,
    ...(annotations && { title: annotations.title }),
    description: definition.description,
    inputSchema: definition.inputSchema as WireTool["inputSchema"],
    ...(outputSchema && { outputSchema: outputSchema as WireTool["outputSchema"] }),
    annotations: {
      ...(annotations && {
        title: annotations.title,
        readOnlyHint: annotations.readOnly,
        destructiveHint: annotations.destructive,
        openWorldHint: annotations.openWorld,
      }),
      idempotentHint: idempotent,
    },
    ...(ordered === true ? { _meta: { [ORDERED_META]: true } } : {}),
  };
}
