import { AgentError } from "@troupe/core";

/** Bytes behind an address. Throws an `AgentError` when they cannot be had. */
export async function download(url: string, signal: AbortSignal): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url, { signal, redirect: "error" });
  } catch (error) {
    throw new AgentError("agent.unreachable", `The file at ${url} could not be fetched.`, {
      cause: error,
      retryable: true,
    });
  }
  if (!response.ok)
    throw new AgentError(
      "agent.protocol",
      `The file at ${url} could not be fetched (HTTP ${response.status}).`,
    );
  return new Uint8Array(await response.arrayBuffer());
}
