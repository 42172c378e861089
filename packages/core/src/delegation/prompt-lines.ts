// How the parts of a delegation prompt begin: written by one function, read back by another.

export const GOAL = "The goal of the whole run: ";
export const TASK = "Your task: ";
export const EXPECTED = "Expected output: ";
export const OUTPUT = "Write your whole answer as JSON that fits this schema: ";
export const UNREAD = "Files of the person that were not read:\n";
export const EARLIER = "Earlier in this conversation it was asked:\n";
export const CITE = "Cite what the results below rest on ";
export const RESULT = "## Result of step ";
