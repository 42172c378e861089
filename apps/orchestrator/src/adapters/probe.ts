/**
 * Whether something answers 2xx at a loopback address within 15 seconds: where nobody listens is known at
 * once, and a server with much to do must not pass for one that is gone.
 */
export async function probe(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(15_000), redirect: "error" });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
