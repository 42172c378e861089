import { AgentError } from "@troupe/core";

/**
 * The address of an agent as it was given. Throws an `AgentError`, `agent.config`, for what is none, and
 * for one that holds a name or a password: addresses stand in messages, logs and lists.
 */
export function agentAddress(given: string): URL {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new AgentError(
      "agent.config",
      // What stands before an @ may be a password, also where the rest is no address.
      `"${given.replace(/^.*@/s, "…@")}" is no address of an agent; write http://host:port.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new AgentError(
      "agent.config",
      `The address of ${url.host} holds a name or a password. Leave them out of it, and give what the agent asks for as a header.`,
    );
  return url;
}

/** An address for people to read, without its query, which may hold a secret. */
export function shown(address: URL | string): string {
  const { origin, pathname } = new URL(address);
  return pathname === "/" ? origin : `${origin}${pathname}`;
}
