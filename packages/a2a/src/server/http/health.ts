import type { Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import type { Express, Request } from "express";

import type { Readiness } from "../../wire/readiness.ts";
import { identify, type Authenticate } from "./gate.ts";

/** What an agent lacks to do its work, in words that anybody may read; nothing by default. */
export interface Lacks {
  /** Why its model does not answer. */
  readonly model?: readonly string[];
  /** Which of its tools do not answer. */
  readonly tools?: readonly string[];
}

export interface HealthOptions {
  /** Which server this is, new at every start. */
  readonly instance: string;
  readonly closing: () => boolean;
  readonly lacks: () => Promise<Lacks>;
  /** The model the agent asks, where a cost limit has no price of it to go by; told with why it is not ready. */
  readonly unpriced?: string;
  /** With it a stranger hears what does not answer, and not why, which may tell where it is. */
  readonly authenticate?: Authenticate;
  readonly clock: Clock;
  readonly log: Log;
}

/** A check that takes longer has failed: whoever looks after the process has a deadline of its own. */
const CHECK_MS = 3_000;

/**
 * /livez says that the process answers, and which one it is: whoever finds something on a port can
 * tell the server they know from another that took the port since. /readyz says whether it can do its
 * work, capability by capability, with the reasons if not. However many ask, one check goes on at a time.
 */
export function mountHealth(app: Express, options: HealthOptions): void {
  let checking: Promise<Readiness> | undefined;
  app.get("/livez", (_req, res) => {
    res.json({ ok: true, instance: options.instance });
  });
  const mayKnowWhy = async (req: Request): Promise<boolean> =>
    options.authenticate === undefined ||
    typeof (await identify(req, options.authenticate, options.log)) === "object";
  app.get("/readyz", async (req, res) => {
    const state = options.closing()
      ? { ...readiness(["shutting down"], []), capabilities: NONE }
      : await (checking ??= check(options).finally(() => {
          checking = undefined;
        }));
    const { unpriced } = options;
    const toldAll = unpriced === undefined ? state : { ...state, unpriced };
    const hides = !state.ok || unpriced !== undefined;
    const told = !hides || (await mayKnowWhy(req)) ? toldAll : withoutWhy(state);
    res.status(state.ok ? 200 : 503).json(told);
  });
}

function withoutWhy({ ok, capabilities }: Readiness): Readiness {
  const reasons = [
    ...(capabilities.model ? [] : ["its model does not answer"]),
    ...(capabilities.tools ? [] : ["its tools do not answer"]),
  ];
  return { ok, reasons: capabilities.card ? reasons : ["it is stopping"], capabilities };
}

const NONE = { card: false, model: false, tools: false };

async function check({ lacks, clock, log }: HealthOptions): Promise<Readiness> {
  const late = Promise.withResolvers<Readiness>();
  const stop = clock.schedule(CHECK_MS, () => {
    const why = `the readiness check took longer than ${CHECK_MS / 1_000} s`;
    late.resolve(readiness([why], [why]));
  });
  const told = async (): Promise<Readiness> => {
    try {
      const { model = [], tools = [] } = await lacks();
      return readiness(model, tools);
    } catch (error) {
      log.error("the readiness check failed", { error });
      return readiness(["the readiness check failed"], ["the readiness check failed"]);
    }
  };
  try {
    return await Promise.race([told(), late.promise]);
  } finally {
    stop();
  }
}

function readiness(model: readonly string[], tools: readonly string[]): Readiness {
  const reasons = [...new Set([...model, ...tools])];
  return {
    ok: reasons.length === 0,
    reasons,
    capabilities: { card: true, model: model.length === 0, tools: tools.length === 0 },
  };
}
