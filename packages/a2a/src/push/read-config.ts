import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { addressKind, isLoopback, isSameOrigin } from "@troupe/core";

import type { PushConfig } from "../store/push-configs.ts";

const MAX_URL = 2_048;
const MAX_SECRET = 4_096;
const MAX_ID = 200;

/** A scheme of HTTP, as a header may hold it. */
const SCHEME = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * A config as a client gives it. Throws a `RequestMalformedError` that says what is wrong with it, and
 * quotes no secret. Where a name of its address leads is looked at when it is called, each time.
 */
export function readPushConfig(
  given: TaskPushNotificationConfig,
  options: {
    readonly id: string;
    readonly version: PushConfig["version"];
    /** Origins that need be neither public nor https. */
    readonly allow: readonly string[];
  },
): PushConfig {
  const { id, version, allow } = options;
  if (id.length > MAX_ID) throw malformed(`id is longer than ${MAX_ID} characters.`);
  const { token, authentication } = given;
  checkUrl(given.url, allow);
  if (token !== "") checkSecret("token", token);
  const base = { id, url: given.url, token, version };
  // ProtoJSON tells a message that is empty from one that is absent; some clients do not.
  if (authentication === undefined || (authentication.scheme === "" && authentication.credentials === ""))
    return base;
  const { scheme, credentials } = authentication;
  if (!SCHEME.test(scheme))
    throw malformed("authentication.scheme is no scheme of HTTP; write one such as Bearer.");
  if (credentials !== "") checkSecret("authentication.credentials", credentials);
  return { ...base, authentication: { scheme, credentials } };
}

/** A config as a client gets it. */
export function toWire(taskId: string, config: PushConfig): TaskPushNotificationConfig {
  const { id, url, token, authentication } = config;
  return { tenant: "", taskId, id, url, token, authentication: authentication && { ...authentication } };
}

function checkUrl(text: string, allow: readonly string[]): void {
  if (text === "") throw malformed("url is missing.");
  const url = text.length > MAX_URL ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw malformed(`url is no https address of at most ${MAX_URL} characters.`);
  if (url.username !== "" || url.password !== "")
    throw malformed("url holds a name or a password; give them as authentication.");
  if (allow.some((origin) => isSameOrigin(url, origin))) return;
  if (url.protocol !== "https:")
    throw malformed("url is not https, and its origin is none that the agent was told to allow.");
  // A trailing dot marks a name as absolute; it is the same name.
  const host = url.hostname.replace(/\.$/, "");
  const kind = addressKind(host);
  if (isLoopback(host) || host.endsWith(".localhost") || (kind !== undefined && kind !== "public"))
    throw malformed(`url leads to ${url.hostname}, which is no public address.`);
}

function checkSecret(what: string, value: string): void {
  if (value.length > MAX_SECRET || !HEADER_VALUE.test(value))
    throw malformed(
      `${what} cannot go into a header: it must be at most ${MAX_SECRET} visible characters of ASCII.`,
    );
}

function malformed(why: string): RequestMalformedError {
  return new RequestMalformedError(`The push notification config cannot be used: ${why}`);
}
