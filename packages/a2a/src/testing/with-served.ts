import { serveAgent, type ServeAgentOptions, type ServedAgent } from "../server/index.ts";

/** Serves for the time of `use`, also when it throws. */
export async function withServed<T>(
  options: ServeAgentOptions,
  use: (served: ServedAgent) => Promise<T>,
): Promise<T> {
  const served = await serveAgent(options);
  try {
    return await use(served);
  } finally {
    await served.close();
  }
}
