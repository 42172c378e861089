import type { AccessRequest } from "@troupe/stream";

import { ToolError } from "./tool-error.ts";
import { isTroupeError } from "./troupe-error.ts";

/**
 * A tool cannot do its work before a person grants access. Thrown by the tool: the agent then asks for
 * it, waits, and the model goes on once the person has answered. An address that is no web page is
 * left out, because it is shown as a link.
 */
export class AccessError extends ToolError {
  readonly access: AccessRequest;

  constructor(access: AccessRequest) {
    const { url, ...rest } = access;
    super(
      "tool.needs-access",
      `${access.service} gives no access yet. The person is asked to grant it; call the tool again once they have.`,
    );
    this.access = url !== undefined && isWebPage(url) ? { ...rest, url } : rest;
  }
}

/** By its code, so that an error of another copy of this package counts too. */
export function isAccessError(error: unknown): error is AccessError {
  return isTroupeError(error) && error.code === "tool.needs-access" && "access" in error;
}

function isWebPage(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === "https:" || protocol === "http:";
}
