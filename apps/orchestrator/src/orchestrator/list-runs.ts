import { numberOfRuns, type RunsQuery, type RunStatus, type RunView } from "@troupe/workflow";

export interface RunsFilter extends RunsQuery {
  /** Only those in one of these states. */
  readonly status?: readonly RunStatus[];
}

/** Runs read at a time. */
const PAGE = 100;

/**
 * The newest runs that fit, 50 where no limit is given. A state is not on record but follows from a run's
 * events and from who drives it, so pages are read until there are enough. Throws an `InputError` for a limit that is
 * no whole number from 1 on.
 */
export async function listRuns(
  runs: (query: RunsQuery) => Promise<readonly RunView[]>,
  shown: (views: readonly RunView[]) => Promise<readonly RunView[]>,
  { status, limit: asked = 50, ...query }: RunsFilter = {},
): Promise<readonly RunView[]> {
  const limit = numberOfRuns(asked);
  if (status === undefined) return shown(await runs({ ...query, limit }));
  const found: RunView[] = [];
  for (let before = query.before; ;) {
    const page = await runs({ ...query, ...(before === undefined ? {} : { before }), limit: PAGE });
    for (const view of await shown(page)) {
      if (found.length === limit) return found;
      if (status.includes(view.status)) found.push(view);
    }
    before = page.at(-1)?.runId;
    if (page.length < PAGE) return found;
  }
}
