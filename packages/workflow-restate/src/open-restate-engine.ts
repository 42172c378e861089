import { InputError, isLoopback, silentLog, systemClock, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import type { HostedEngine, RunLog } from "@troupe/workflow";

import { openAdmin } from "./adapters/admin.ts";
import { anyServer } from "./adapters/any-server.ts";
import { openIngress } from "./adapters/ingress.ts";
import { serve } from "./adapters/serve.ts";
import { RestateEngine } from "./restate-engine.ts";
import { runHandlers } from "./run-handlers.ts";
import { runService } from "./run-service.ts";

export interface RestateEngineOptions {
  /** Ingress of Restate, such as `http://127.0.0.1:8080`; of a cluster that of several nodes, which stand in for each other. */
  readonly ingressUrl: string | readonly string[];
  /** Its admin address, such as `http://127.0.0.1:9070`; likewise. */
  readonly adminUrl: string | readonly string[];
  /** Where events go and runs are listed: one log for every process that runs the same runs. Not closed with the engine. */
  readonly events: RunLog;
  /**
   * Where this process serves its runs to Restate: port 9080 of 127.0.0.1 by default; 0 takes a free one. A run
   * keeps to the address under which it began, so that has to be the same after a restart.
   */
  readonly host?: string;
  readonly port?: number;
  /** The address as Restate reaches it, such as the one before several replicas. By default the one it is served on. */
  readonly endpointUrl?: string;
  /**
   * Public keys (`publickeyv1_...`) of the Restate servers that may call; every other request is refused. Needed
   * where the endpoint is served to other machines: who can call it unsigned can run and read everything.
   */
  readonly identityKeys?: readonly string[];
  /** Sent with every request to Restate, such as `authorization` where a proxy asks for it. Never logged. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The service's name in Restate, `troupe-runs` by default. Runs are looked up under it. */
  readonly service?: string;
  /** A run that waits for nothing but people and timers stays in memory for so long, 60,000 by default. */
  readonly inactivityMs?: number;
  /** How long Restate waits beyond that for a process that hangs, before it gives its runs to another; 600,000 by default. */
  readonly abortMs?: number;
  /**
   * How long an ended run is known to Restate, 7 days by default, in milliseconds. What its log keeps for longer
   * is told by its events alone.
   */
  readonly retentionMs?: number;
  /** How often Restate tries a run that fails in itself before it pauses it, 100 by default, which takes about 45 minutes. */
  readonly maxAttempts?: number;
  /** How long an absence of Restate is borne with, 30,000 by default. */
  readonly patienceMs?: number;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Random ids; `crypto.randomUUID` by default. */
  readonly newId?: () => string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * The engine for more than one machine: runs are journaled by Restate and driven by whichever process Restate
 * calls. `register` serves the driver, tells Restate where, and goes on with what was paused. Throws an
 * `InputError` for an address other machines reach without `identityKeys`.
 */
export async function openRestateEngine(options: RestateEngineOptions): Promise<HostedEngine> {
  const {
    events,
    host = "127.0.0.1",
    port = 9080,
    endpointUrl,
    identityKeys = [],
    headers = {},
    service: name = "troupe-runs",
    inactivityMs = MINUTE,
    abortMs = 10 * MINUTE,
    retentionMs = 7 * DAY,
    maxAttempts = 100,
    patienceMs = MINUTE / 2,
    clock = systemClock,
    log = silentLog,
    newId = () => crypto.randomUUID(),
  } = options;
  if (!isLoopback(host) && identityKeys.length === 0)
    throw new InputError(
      "input.invalid",
      `runs would be served on ${host}, where other machines can call them; name the public keys of the Restate servers that may (identityKeys)`,
    );
  const ingressRequest = anyServer([options.ingressUrl].flat(), headers);
  const adminRequest = anyServer([options.adminUrl].flat(), headers);
  return new RestateEngine({
    ingress: openIngress({ name, request: ingressRequest, clock, patienceMs }),
    admin: openAdmin({ name, request: adminRequest, clock, patienceMs }),
    events,
    clock,
    log,
    newId,
    async serve(driver, onCutOff) {
      // A third of it: a process may be busy for a while.
      const beatMs = Math.max(1, Math.floor(inactivityMs / 3));
      const handlers = runHandlers({ driver, events, clock, log, beatMs, onCutOff });
      const service = runService(handlers, { name, inactivityMs, abortMs, retentionMs, maxAttempts });
      const served = await serve({ service, host, port, identityKeys, log });
      const address = host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host;
      return { served, url: endpointUrl ?? `http://${address}:${served.port}` };
    },
  });
}
