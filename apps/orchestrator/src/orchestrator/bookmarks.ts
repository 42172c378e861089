/** Where a run was left when its turn ended. */
export interface Bookmark {
  readonly position: number;
  /** Ids of the requests that were answered so far. */
  readonly answered: ReadonlySet<string>;
}

export interface Bookmarks {
  get(runId: string): Bookmark | undefined;
  set(runId: string, mark: Bookmark): void;
  delete(runId: string): void;
}

/** Runs that wait for a person and whose place is known; of older ones only what is new is told. */
const MAX_BOOKMARKS = 1_000;

export function createBookmarks(): Bookmarks {
  const marks = new Map<string, Bookmark>();
  return {
    get: (runId) => marks.get(runId),
    set(runId, mark) {
      marks.delete(runId);
      marks.set(runId, mark);
      for (const oldest of marks.keys()) {
        if (marks.size <= MAX_BOOKMARKS) return;
        marks.delete(oldest);
      }
    },
    delete: (runId) => void marks.delete(runId),
  };
}
