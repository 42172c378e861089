/** What a foreign client sees of a task, as far as the checks look at it. */
export interface WireTask {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly artifacts?: readonly {
    readonly artifactId: string;
    readonly name: string;
    readonly parts: readonly {
      readonly text?: string;
      readonly url?: string;
      readonly data?: { readonly content?: string };
    }[];
  }[];
}

export async function getTask(url: string, id: string): Promise<WireTask> {
  return (await call(url, "GetTask", { id })) as WireTask;
}

/** How many tasks there are, in one state or in any. */
export async function countTasks(url: string, status?: string): Promise<number> {
  const { totalSize = 0 } = (await call(url, "ListTasks", {
    pageSize: 1,
    ...(status === undefined ? {} : { status }),
  })) as { readonly totalSize?: number };
  return totalSize;
}

async function call(url: string, method: string, params: object): Promise<unknown> {
  const response = await fetch(`${url}/a2a/jsonrpc`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
