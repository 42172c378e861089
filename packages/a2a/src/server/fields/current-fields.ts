import { z } from "zod";

import { base64, checkFields, choice, count, fields, flag, inBothCases, text, texts } from "./field-types.ts";

const authentication = z.looseObject({ scheme: text, credentials: text }).nullish();
const push = {
  id: text,
  url: text,
  token: text,
  authentication,
  ...inBothCases(text, "taskId"),
};

const CONTENTS = ["text", "raw", "url", "data"] as const;

const part = z
  .looseObject(
    {
      text,
      raw: base64.nullish(),
      url: text,
      filename: text,
      metadata: fields,
      ...inBothCases(text, "mediaType"),
    },
    { error: "must be an object with one of text, data, url or raw" },
  )
  // A oneof: ProtoJSON refuses two of them, and the codec of the SDK would drop all but one.
  .refine((value) => contentsOf(value).length < 2, {
    error: ({ input }) => `has ${contentsOf(input).join(" and ")}; a part has one of them`,
  });

function contentsOf(value: unknown): readonly string[] {
  const fieldsOf = value as { readonly [name: string]: unknown };
  return CONTENTS.filter((name) => fieldsOf[name] !== undefined && fieldsOf[name] !== null);
}

const message = z.looseObject({
  ...inBothCases(text, "messageId", "contextId", "taskId"),
  role: choice,
  parts: z.array(part).nullish(),
  metadata: fields,
  extensions: texts,
  ...inBothCases(texts, "referenceTaskIds"),
});

const configuration = z.looseObject({
  ...inBothCases(texts, "acceptedOutputModes"),
  ...inBothCases(count, "historyLength"),
  ...inBothCases(flag, "returnImmediately"),
  ...inBothCases(z.looseObject(push).nullish(), "taskPushNotificationConfig"),
});

/** Of all operations of 1.0: no two fields of a name differ in their type. */
const PARAMS = z.looseObject({
  ...push,
  tenant: text,
  message: message.nullish(),
  configuration: configuration.nullish(),
  metadata: fields,
  status: choice,
  ...inBothCases(count, "historyLength", "pageSize"),
  ...inBothCases(text, "contextId", "pageToken", "statusTimestampAfter"),
  ...inBothCases(flag, "includeArtifacts"),
});

/** @throws RequestMalformedError that names the fields of another type than the operations of 1.0 have */
export function checkParams(params: unknown): void {
  checkFields(PARAMS, params, { version: "1.0", root: "params" });
}
