import { TaskState, type ListTasksRequest, type ListTasksResponse } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { InputError } from "@troupe/core";

import type { TaskStore } from "../store/task-store.ts";
import { needHistoryLength, trimHistory } from "./trim-history.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

/**
 * What a page holds, as the store counts it, unless one task alone is larger: a request of a hundred bytes
 * must not have the process read, write and keep hundreds of tasks of the largest messages.
 */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** One page of an owner's tasks, of fewer than were asked for where they are large. Throws a `RequestMalformedError` for a parameter that is none. */
export async function listTasks(
  store: TaskStore,
  params: ListTasksRequest,
  owner: string,
): Promise<ListTasksResponse> {
  const pageSize = params.pageSize ?? DEFAULT_PAGE_SIZE;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
    throw new RequestMalformedError(`pageSize must be 1 to ${MAX_PAGE_SIZE}, not ${pageSize}.`);
  const after = params.statusTimestampAfter;
  if (after !== undefined && Number.isNaN(Date.parse(after)))
    throw new RequestMalformedError(`statusTimestampAfter is no ISO 8601 time: "${after}".`);
  if (params.status === TaskState.UNRECOGNIZED)
    throw new RequestMalformedError("status is no task state; use a name such as TASK_STATE_WORKING.");
  needHistoryLength(params.historyLength);
  const listed = store.list(owner, {
    ...(params.contextId === "" ? {} : { contextId: params.contextId }),
    ...(params.status === TaskState.TASK_STATE_UNSPECIFIED ? {} : { state: params.status }),
    ...(after === undefined ? {} : { updatedAfter: new Date(after).toISOString() }),
    pageSize,
    maxBytes: MAX_PAGE_BYTES,
    pageToken: params.pageToken,
  });
  const page = await listed.catch((error: unknown) => {
    throw error instanceof InputError ? new RequestMalformedError(error.message) : error;
  });
  return {
    tasks: page.tasks.map((task) => {
      const trimmed = trimHistory(task, params.historyLength);
      return params.includeArtifacts === true ? trimmed : { ...trimmed, artifacts: [] };
    }),
    nextPageToken: page.nextPageToken,
    pageSize,
    totalSize: page.totalSize,
  };
}
