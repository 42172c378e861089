import { z } from "zod";

import { base64, checkFields, choice, count, fields, flag, inBothCases, text, texts } from "./field-types.ts";

const push = z.looseObject({
  id: text,
  url: text,
  token: text,
  authentication: z.looseObject({ schemes: texts, credentials: text }).nullish(),
});

const head = { messageId: text, contextId: text, taskId: text, extensions: texts, metadata: fields };

const part = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("text"), text: z.string(), metadata: fields }),
  z.looseObject({
    kind: z.literal("data"),
    data: z.unknown().refine((data) => data !== undefined, "is missing"),
    metadata: fields,
  }),
  z.looseObject({
    kind: z.literal("file"),
    file: z
      .looseObject({
        // The compat layer goes by which of them is there, not by what it holds.
        bytes: base64.optional(),
        uri: z.string().optional(),
        name: text,
        mimeType: text,
      })
      .refine(
        ({ bytes, uri }) => bytes === undefined || uri === undefined,
        "has bytes and uri; a file has one of them",
      ),
    metadata: fields,
  }),
]);

const sent = z.looseObject({
  message: z.looseObject({ ...head, role: text, referenceTaskIds: texts, parts: z.array(part) }),
  configuration: z
    .looseObject({
      acceptedOutputModes: texts,
      historyLength: z.number().nullish(),
      blocking: flag,
      pushNotificationConfig: push.extend({ url: z.string() }).nullish(),
    })
    .nullish(),
  metadata: fields,
});
const named = z.looseObject({ id: z.string(), metadata: fields });

/** Of each method of JSON-RPC that takes any. */
const PARAMS: { readonly [method: string]: z.ZodType } = {
  "message/send": sent,
  "message/stream": sent,
  "tasks/get": named.extend({ historyLength: z.number().nullish() }),
  "tasks/cancel": named,
  "tasks/resubscribe": named,
  "tasks/pushNotificationConfig/set": z.looseObject({
    taskId: z.string(),
    pushNotificationConfig: push.extend({ url: z.string() }),
  }),
  "tasks/pushNotificationConfig/get": named.extend({ pushNotificationConfigId: text }),
  "tasks/pushNotificationConfig/list": named,
  "tasks/pushNotificationConfig/delete": named.extend({ pushNotificationConfigId: z.string() }),
};

const restPart = z.looseObject({
  text,
  data: fields,
  file: z
    .looseObject({
      ...inBothCases(text, "fileWithUri", "mimeType"),
      ...inBothCases(base64.nullish(), "fileWithBytes"),
    })
    .nullish(),
});
const restMessage = z
  .looseObject({
    ...head,
    ...inBothCases(text, "messageId", "contextId", "taskId"),
    role: choice,
    content: z.array(restPart).nullish(),
  })
  .nullish();

/** Of all bodies of REST: no two fields of a name differ in their type. */
const REST = z.looseObject({
  message: restMessage,
  request: restMessage,
  configuration: z
    .looseObject({
      ...inBothCases(texts, "acceptedOutputModes"),
      ...inBothCases(count, "historyLength"),
      ...inBothCases(push.nullish(), "pushNotification"),
    })
    .nullish(),
  metadata: fields,
  name: text,
  ...inBothCases(push.nullish(), "pushNotificationConfig"),
});

/** @throws RequestMalformedError that names the fields of another type than the method has */
export function checkLegacyParams(method: string, params: unknown): void {
  const schema = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  if (schema !== undefined) checkFields(schema, params, { version: "0.3", root: "params" });
}

/** @throws RequestMalformedError that names the fields of another type than bodies of REST have */
export function checkLegacyRest(body: unknown): void {
  checkFields(REST, body, { version: "0.3", root: "the body" });
}
