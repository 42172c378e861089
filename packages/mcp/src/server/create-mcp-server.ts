import {
  systemClock,
  type ArtifactStore,
  type Log,
  type LogFields,
  type Tool,
  type ToolProgress,
} from "@troupe/core";
import type { Clock, Json } from "@troupe/stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  type ListResourcesResult,
  type LoggingLevel,
  type Resource,
  type Tool as WireTool,
} from "@modelcontextprotocol/sdk/types.js";

import { onError } from "../adapters/sdk-hooks.ts";
import { ARTIFACT_SCHEME, isArtifactUri } from "../wire/artifact-uri.ts";
import { ORDERED_META, readMeta, type CallMeta } from "../wire/meta.ts";
import { artifactResources, notFound } from "./artifact-resources.ts";
import { getPrompt, toWirePrompt, type McpPrompt } from "./prompts.ts";
import { withPlainParams } from "./plain-params.ts";
import type { ResourceProvider } from "./provided-resources.ts";
import { runTool } from "./run-tool.ts";
import { closedSchema } from "./unknown-arguments.ts";

export interface McpServerOptions {
  /** Kebab-case, such as `rag-mcp`. */
  readonly name: string;
  readonly version: string;
  /** For the model behind the client: what this server is for and in which order to call. */
  readonly instructions?: string;
  /** A function is asked at every list and call, so tools may come and go. */
  readonly tools: readonly Tool[] | (() => readonly Tool[]);
  /**
   * Where the files of tools are listed and read from: those of the user in whose name the client asks, `""`
   * where it names none, as in `context.userId` of a call.
   */
  readonly artifacts?: ArtifactStore;
  /** What can be read beside those files. */
  readonly resources?: ResourceProvider;
  readonly prompts?: readonly McpPrompt[];
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

  const { artifacts: files, resources: provider, prompts = [] } = options;
  const hasResources = files !== undefined || provider !== undefined;
  /** Until the client sets another: warnings and worse. */
  let logLevel: LoggingLevel = "warning";

  const server = new Server(
    { name: options.name, version: options.version },
    {
      capabilities: {
        tools: { listChanged: true },
        logging: {},
        ...(hasResources && { resources: { listChanged: true } }),
        ...(prompts.length > 0 && { prompts: {} }),
      },
      ...(options.instructions !== undefined && { instructions: options.instructions }),
    },
  );
  onError(server, (error) => log.debug("mcp protocol", { reason: error.message }));

  server.setRequestHandler(withPlainParams(SetLevelRequestSchema), ({ params }) => {
    logLevel = params.level;
    return {};
  });

  const artifacts =
    files && artifactResources(files, { maxBytes: options.maxResourceBytes ?? 32 * 1024 * 1024, log });

  server.setRequestHandler(withPlainParams(ListToolsRequestSchema), () => ({
    tools: currentTools().map(toWireTool),
  }));

  server.setRequestHandler(withPlainParams(CallToolRequestSchema), async (request, extra) => {
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
    const callLog = clientLog(log, (level, message) => {
      if (!isLogged(level, logLevel)) return;
      const params = { level, logger: name, data: { message } };
      extra.sendNotification({ method: "notifications/message", params }).catch(() => undefined);
    });
    const tools = currentTools();
    const { result, artifacts: made } = await runTool(
      { name, arguments: args as Json, meta, signal: extra.signal, ...(progress && { progress }) },
      { tools, server: options.name, artifacts: files, log: callLog, clock, newId },
    );
    artifacts?.remember(made, ownerOf(readMeta(meta)));
    const isReadOnly = tools.find((tool) => tool.definition.name === name)?.annotations?.readOnly === true;
    if (hasResources && (made.length > 0 || (!isReadOnly && result.isError !== true))) {
      server.sendResourceListChanged().catch(() => undefined);
    }
    return result;
  });

  if (hasResources) {
    server.setRequestHandler(withPlainParams(ListResourcesRequestSchema), async ({ params = {} }) => {
      const { _meta: meta, cursor } = params;
      const caller = readMeta(meta);
      const provided = (await provider?.list(caller)) ?? [];
      return pageOf([...(artifacts?.list(ownerOf(caller)) ?? []), ...provided], cursor);
    });
    server.setRequestHandler(withPlainParams(ListResourceTemplatesRequestSchema), () => ({
      resourceTemplates: [...(artifacts ? [ARTIFACT_TEMPLATE] : []), ...(provider?.templates ?? [])],
    }));
    server.setRequestHandler(
      withPlainParams(ReadResourceRequestSchema),
      async ({ params: { uri, _meta: meta } }) => {
        const caller = readMeta(meta);
        if (artifacts && (isArtifactUri(uri) || !provider)) return artifacts.read(uri, ownerOf(caller));
        const contents = await provider?.read(uri, caller);
        if (!contents) throw notFound(uri, "resources/list and the templates say which there are.");
        return { contents: [...contents] };
      },
    );
  }
  if (prompts.length > 0) {
    server.setRequestHandler(withPlainParams(ListPromptsRequestSchema), () => ({
      prompts: prompts.map(toWirePrompt),
    }));
    server.setRequestHandler(withPlainParams(GetPromptRequestSchema), ({ params }) =>
      getPrompt(prompts, params.name, params.arguments),
    );
  }

  return {
    connect: (transport) => server.connect(transport),
    toolsChanged: () => server.sendToolListChanged(),
    close: () => server.close(),
  };
}

const ownerOf = ({ userId = "" }: CallMeta): string => userId;

const ARTIFACT_TEMPLATE = {
  uriTemplate: `${ARTIFACT_SCHEME}://{id}/{name}`,
  name: "artifact",
  title: "File",
  description: "A file a tool made.",
};

/** Resources of one answer to `resources/list`. */
const PAGE = 200;

/** A cursor is the number of resources before its page. */
function pageOf(resources: readonly Resource[], cursor: string | undefined): ListResourcesResult {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0)
    throw new McpError(
      ErrorCode.InvalidParams,
      `"${cursor?.slice(0, 64)}" is not a cursor of resources/list.`,
    );
  const end = start + PAGE;
  return {
    resources: resources.slice(start, end),
    ...(end < resources.length && { nextCursor: String(end) }),
  };
}

function toWireTool({ definition, annotations, outputSchema, idempotent, ordered }: Tool): WireTool {
  return {
    name: definition.name,
    ...(annotations && { title: annotations.title }),
    description: definition.description,
    inputSchema: closedSchema(definition.inputSchema) as WireTool["inputSchema"],
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

const SEVERITY: { readonly [level in LoggingLevel]: number } = {
  debug: 0,
  info: 1,
  notice: 2,
  warning: 3,
  error: 4,
  critical: 5,
  alert: 6,
  emergency: 7,
};

/** Whether a client that asked for `wanted` and worse gets a message of `level`. */
function isLogged(level: LoggingLevel, wanted: LoggingLevel): boolean {
  return SEVERITY[level] >= SEVERITY[wanted];
}

/**
 * The same log, whose messages the client gets too. Their fields stay here, because they may hold what is
 * internal to this server or belongs to others.
 */
function clientLog(log: Log, send: (level: LoggingLevel, message: string) => void): Log {
  const both =
    (method: "debug" | "info" | "warn" | "error", level: LoggingLevel) =>
    (message: string, fields?: LogFields): void => {
      log[method](message, fields);
      send(level, message);
    };
  return {
    debug: both("debug", "debug"),
    info: both("info", "info"),
    warn: both("warn", "warning"),
    error: both("error", "error"),
    child: (fields) => clientLog(log.child(fields), send),
  };
}
