import { AgentError } from "@troupe/core";

/** JSON from a loopback address. Throws an `AgentError` when nothing useful answers. */
export async function getJson(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: "error" });
    if (response.ok) return await response.json();
    throw new AgentError("agent.protocol", `${url} answered HTTP ${response.status}.`);
  } catch (error) {
    if (error instanceof AgentError) throw error;
    throw new AgentError("agent.unreachable", `${url} does not answer.`, { cause: error, retryable: true });
  }
}
