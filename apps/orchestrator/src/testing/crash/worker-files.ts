/** In the home of a worker: one line for each time it began, `KEY task` or `KEY reply`. */
export const BEGUN_FILE = "begun.log";
