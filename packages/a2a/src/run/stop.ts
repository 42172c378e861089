import { toErrorInfo } from "@troupe/core";
import type { ErrorInfo } from "@troupe/stream";

/** Why a run is stopped, and what its task then ends as. */
export interface Stop {
  readonly why: string;
  readonly outcome: "failed" | "canceled";
  readonly error?: ErrorInfo;
}

export const CANCEL: Stop = { why: "The task was canceled.", outcome: "canceled" };

export const SHUTDOWN: Stop = {
  why: "The agent is shutting down.",
  outcome: "failed",
  error: { code: "agent.shutting-down", message: "The agent was shut down before it was done." },
};

export const RESTART: Stop = {
  why: "The agent was restarted.",
  outcome: "failed",
  error: { code: "agent.restarted", message: "The agent was restarted before it was done." },
};

/** Of a run whose task another process has taken over; nobody is told what it ends as. */
export const TAKEN_OVER: Stop = { why: "Another process works on the task.", outcome: "canceled" };

/** Of a run whose agent is done and has not ended it: what it said was no end that can be told. */
export const BROKEN: Stop = {
  why: "The agent is done.",
  outcome: "failed",
  error: toErrorInfo(undefined),
};

/** What an agent gets after its signal before its task is ended for it, in milliseconds. */
export const STOP_GRACE_MS = 800;
