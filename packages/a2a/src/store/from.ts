/** What a change goes out from: it is refused when the stored task is another one by now. */
export interface From {
  /** Version of the task as the caller knows it; 0 for one that is not stored yet. */
  readonly version: number;
  /** The runtime that makes the change and works on the task while it runs; see `SharedTasks`. */
  readonly holder?: string;
}
