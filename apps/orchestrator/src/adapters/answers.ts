import { nodeFetch } from "@troupe/core/node";

/** How long an answer is waited for, in milliseconds. */
const ANSWER_MS = 2_000;

/** Whether a server says at this address that it is well. */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await nodeFetch(url, { signal: AbortSignal.timeout(ANSWER_MS), redirect: "error" });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
