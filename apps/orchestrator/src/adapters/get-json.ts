import { AgentError, InputError } from "@troupe/core";
import { nodeFetch } from "@troupe/core/node";
import { z } from "zod";

const notFound = z.object({ error: z.object({ code: z.literal("input.not-found"), message: z.string() }) });

/**
 * JSON from a loopback address. Throws the `InputError` it answers with where what was asked for is
 * not there, and an `AgentError` when nothing useful answers.
 */
export async function getJson(url: string): Promise<unknown> {
  try {
    const response = await nodeFetch(url, { signal: AbortSignal.timeout(10_000), redirect: "error" });
    if (response.ok) return await response.json();
    const said = response.status === 404 ? notFound.safeParse(await response.json()) : undefined;
    if (said?.success === true) throw new InputError(said.data.error.code, said.data.error.message);
    throw new AgentError("agent.protocol", `${url} answered HTTP ${response.status}.`);
  } catch (error) {
    if (error instanceof AgentError || error instanceof InputError) throw error;
    throw new AgentError("agent.unreachable", `${url} does not answer.`, { cause: error, retryable: true });
  }
}
