export type { Prompts } from "./prompts.ts";
export type { ConformanceReport, ExpectedFailure, Finding, Outcome } from "./report.ts";
export type { Applies, Binding, Level, Requirement } from "./requirement.ts";
export { REQUIREMENTS } from "./requirements/all.ts";
export { runConformance, type ConformanceOptions } from "./run-conformance.ts";
export type { Callers, Receiver } from "./trial.ts";
