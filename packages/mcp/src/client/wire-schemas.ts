import { z } from "zod";

/**
 * What we read of a server's answers, and no more. Lists hold anything at first, so that one bad
 * entry costs that entry and not the whole answer.
 */
export const toolPageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional(),
});

export const remoteToolSchema = z.looseObject({
  name: z.string().min(1).max(256),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  annotations: z
    .looseObject({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .optional()
    .catch(undefined),
  _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
export type RemoteTool = z.output<typeof remoteToolSchema>;

export const emptyResultSchema = z.looseObject({});

export const callResultSchema = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
export type CallResult = z.output<typeof callResultSchema>;

export const templatePageSchema = z.looseObject({
  resourceTemplates: z.array(z.unknown()).default([]),
});

export const remoteTemplateSchema = z.looseObject({ name: z.string(), uriTemplate: z.string().max(2_000) });

const mimeType = z.string().optional();
const meta = z.record(z.string(), z.unknown()).optional().catch(undefined);

export const contentSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({
    type: z.literal("image"),
    data: z.string(),
    mimeType,
    /** Intended readers; all when absent. */
    annotations: z
      .looseObject({ audience: z.array(z.string()).optional().catch(undefined) })
      .optional()
      .catch(undefined),
    _meta: meta,
  }),
  z.looseObject({ type: z.literal("audio"), data: z.string(), mimeType }),
  z.looseObject({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.string().optional(),
    mimeType,
    _meta: meta,
  }),
  z.looseObject({
    type: z.literal("resource"),
    resource: z.looseObject({
      uri: z.string(),
      mimeType,
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  }),
]);
export type Content = z.output<typeof contentSchema>;

export const resourceSchema = z.looseObject({
  contents: z
    .array(
      z.looseObject({ uri: z.string(), mimeType, text: z.string().optional(), blob: z.string().optional() }),
    )
    .min(1),
});
