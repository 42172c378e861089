import type { AgentGateway, EventLog, Log, Model } from "@troupe/core";
import type { Clock } from "@troupe/stream";

export interface DagDriverOptions {
  readonly gateway: AgentGateway;
  /** Where the events of the agents go; the engine's own, so that a run has one log. */
  readonly eventLog: EventLog;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Writes the answer of `final: synthesize`; without one the steps' answers are joined under headings. */
  readonly model?: Model;
  /** Name the run's own events carry; `orchestrator` by default. */
  readonly agent?: string;
  /** Names text items; random by default. */
  readonly newId?: () => string;
}

export type DriverServices = Required<Omit<DagDriverOptions, "model">> &
  Pick<DagDriverOptions, "model"> & {
    /** When this process began to drive runs; every run before that was cut off until then. For step functions only. */
    readonly since: number;
  };
