import { nodeFetch } from "@troupe/core/node";
import { z } from "zod";

const alive = z.object({ instance: z.string() });

/**
 * Which server answers at a loopback address, by what its `/livez` says; undefined when none of ours
 * does within 15 seconds. Where nobody listens is known at once, and a server with much to do must
 * not pass for one that is gone.
 */
export async function instanceAt(url: string): Promise<string | undefined> {
  try {
    const response = await nodeFetch(`${url}/livez`, {
      signal: AbortSignal.timeout(15_000),
      redirect: "error",
    });
    const said = alive.safeParse(await response.json());
    return response.ok && said.success ? said.data.instance : undefined;
  } catch {
    return undefined;
  }
}
