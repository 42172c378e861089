import { JSONRPC_PATH, REST_PATH } from "../../wire/card.ts";
import type { Step } from "./step.ts";

/**
 * How calls begin, of both versions. That they begin with the path of a binding is not enough: a public
 * path may be `/a2a/jsonrpc-rag` or `/a2a/rest/rag`.
 */
const CALL = new RegExp(
  `^(${JSONRPC_PATH}/?([?]|$)|${REST_PATH}/(message|tasks|extendedAgentCard|v1/(message|tasks|card))([/:?]|$))`,
);

/**
 * A proxy that serves the agent under a path may pass that path on or take it away: both reach the
 * same. `prefix` is the path of the public URL, no trailing slash.
 */
export function stripPrefix(prefix: string): Step {
  return (req, _res, next) => {
    const { url = "" } = req;
    // A call may begin with the prefix that was taken away already, where that is how our own paths begin.
    if (prefix !== "" && url.startsWith(`${prefix}/`) && !CALL.test(url)) req.url = url.slice(prefix.length);
    next();
  };
}
