// How the parts of a delegation prompt begin: written by one function, read back by another.

export const GOAL = "The goal of the whole run: ";
export const TASK = "Your task: ";
export const EXPECTED = "Expected output: ";
export const CITE = "Cite what the results below rest on ";
export const RESULT = "## Result of step ";
