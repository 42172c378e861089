/** In the home of the agent: one line for each run that was begun. */
export const RUNS_FILE = "runs.log";
