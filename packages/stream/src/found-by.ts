/** Which step of a run found something, wherever it was handed on since. */
export type FoundBy = {
  readonly step: string;
  readonly agent: string;
  /** When that step ended, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The run that step was of, where it was an earlier one. */
  readonly runId?: string;
};
