import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import {
  InputError,
  connectionGate,
  connectionTimeouts,
  isLoopback,
  maxConnections,
  type ConnectionLimits,
  randomId,
  silentLog,
  silentMetrics,
  systemClock,
  type ArtifactStore,
  type Caller,
  type Log,
  type Metrics,
  type KeepsWaiting,
  type RunnableAgent,
} from "@troupe/core";
import type { Clock } from "@troupe/stream";
import express, { type Express } from "express";

import { needNode } from "../adapters/need-node.ts";
import { yieldToLoop } from "../adapters/yield-to-loop.ts";
import { startPush, type PushOptions } from "../push/start-push.ts";
import { createMemoryTaskStore } from "../store/memory-task-store.ts";
import type { TaskStore } from "../store/task-store.ts";
import type { CardSecurity } from "../wire/card-security.ts";
import { cardOf, type CardExtension } from "../wire/card.ts";
import { DEFAULT_COALESCE_MS } from "../wire/encode/encoder.ts";
import { toMessage, type RemoteRequest } from "../wire/request.ts";
import { wellFormed } from "../wire/well-formed.ts";
import { AgentRuntime } from "./runtime/agent-runtime.ts";
import type { GrpcBinding, OpenGrpcBinding } from "./grpc-port.ts";
import type { WhenBusy } from "./runtime/runtime-options.ts";
import { bodyDeadline } from "./http/body-deadline.ts";
import { cardRoute } from "./http/card-route.ts";
import { authenticationGate, type Authenticate } from "./http/gate.ts";
import { mountHealth, type Lacks } from "./http/health.ts";
import { hostCheck, siteCheck } from "./http/host-check.ts";
import { listen } from "./http/listen.ts";
import { mountOverview } from "./http/overview-route.ts";
import { mountBindings } from "./http/mount-bindings.ts";
import type { Step } from "./http/step.ts";
import { stripPrefix } from "./http/strip-prefix.ts";
import { createAccounts } from "./limits/accounts.ts";
import { limitGate, weighBody } from "./limits/limit-gate.ts";
import { serverLimits, type GivenLimits } from "./limits/server-limits.ts";
import { createRequestHandler, type ExtendCard } from "./request-handler.ts";

export interface ServeAgentOptions {
  /** With `keepWaiting`, it is offered the store's place for runs that wait for a person. */
  readonly agent: RunnableAgent & Partial<KeepsWaiting>;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /**
   * Under which others reach it, such as a proxy's address with its path; what it listens on when
   * absent. What a proxy says in `X-Forwarded-*` is never believed: anybody can send that. Without
   * `authenticate` pages of this name and of this machine may call from a browser; those of other sites not.
   */
  readonly publicUrl?: string;
  /** In this process when absent. */
  readonly store?: TaskStore;
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly log?: Log;
  /** Counts artifacts by name, and turns by outcome. */
  readonly metrics?: Metrics;
  /**
   * Who calls. With it nothing is answered to whoever it cannot name, but the card and whether the
   * process lives, nor to whoever lacks the scope `agent:<name>` of this agent. Everybody is nobody in
   * particular when absent, and then a web page of another site gets 403 for all but GET and HEAD.
   */
  readonly authenticate?: Authenticate;
  /**
   * What a caller must show, for the card. It is only said there: what a caller does show is checked by
   * `authenticate` alone. Given that without this, a warning is logged, as no client is told what to show.
   */
  readonly security?: CardSecurity;
  /** Extensions the agent knows beside this package's own; a caller must name those that are required. */
  readonly extensions?: readonly CardExtension[];
  /** The card for a caller who was authenticated, made of the public one. Needs `authenticate`. */
  readonly extendedCard?: ExtendCard;
  /** Notifies whoever asks for it of its tasks, over https at public addresses. Off by default. */
  readonly push?: boolean | PushOptions;
  /** What the agent lacks just now, which /readyz tells. */
  readonly ready?: () => Promise<Lacks>;
  /**
   * Mounts routes for paths of their own, with `authenticate` for those it can name, see `callerOf`. The
   * protocol's calls do not all come by them, so nothing that is to hold for those belongs here.
   */
  readonly routes?: (app: Express) => void;
  /** The same of routes that see to it themselves who may have what: anybody gets to them. */
  readonly openRoutes?: (app: Express) => void;
  readonly connectionLimits?: ConnectionLimits;
  /** What it takes of one caller and of one message; see `ServerLimits` for what holds otherwise. */
  readonly limits?: GivenLimits;
  /**
   * Where files go that come by value in a message; the agent gets them as `AgentRequest.files`. Without
   * it they are refused, and sent by address.
   */
  readonly files?: ArtifactStore;
  /**
   * Requests of `routes` whose bodies may take longer than `connectionLimits` says, such as large files;
   * their handler has to see to slow senders itself.
   */
  readonly takesTime?: (request: IncomingMessage) => boolean;
  /**
   * Results as data parts with the whole AgentResponse, true by default; as text when false. Either
   * way a client that accepts only text, or only JSON, gets what it accepts.
   */
  readonly structuredOutput?: boolean;
  /**
   * What the agent works on outlives the process: at close streams just end, and nobody is told that
   * the work has failed. False by default: then running tasks end as failed.
   */
  readonly handOver?: boolean;
  /**
   * What becomes of a message to a task that is being worked on: refused by default. Queued it is a task
   * of its own in the same conversation, told as submitted at once and begun when that one has settled.
   */
  readonly whenBusy?: WhenBusy;
  /** Milliseconds for which text is gathered on the wire, 40 by default. */
  readonly coalesceMs?: number;
  /** Serves it over gRPC too, on a port of its own: `grpcBinding` of `@troupe/a2a/grpc`. Off by default. */
  readonly grpc?: GrpcBinding;
}

export interface ServedAgent {
  /** Where it listens, no trailing slash. */
  readonly url: string;
  /** Where it is reached over gRPC, such as `127.0.0.1:50051`, if it is. */
  readonly grpcUrl?: string;
  /** Which server this is, new at every start; /livez names it too. */
  readonly instance: string;
  /**
   * Puts a message to a task that waits, in the name of whoever it is of, for what came another way than over
   * A2A. Resolves once the task is at work. Throws what a client would be told: that it does not wait, or that
   * there is none.
   */
  readonly send: (request: RemoteRequest & { readonly taskId: string }, caller?: Caller) => Promise<void>;
  /** Takes no more work, ends running tasks and streams, and stops listening. */
  readonly close: () => Promise<void>;
}

/**
 * Serves an agent over A2A on one port: JSON-RPC and HTTP+JSON with the same behaviour, 1.0 and
 * 0.3, its card, /livez and /readyz. Throws an `InputError` when the port is taken, and when other
 * machines could reach it without authentication, and for a limit that is none.
 */
export async function serveAgent(options: ServeAgentOptions): Promise<ServedAgent> {
  const { agent, host = "127.0.0.1", port = 0, clock = systemClock, newId = randomId } = options;
  if (!isLoopback(host) && options.authenticate === undefined)
    throw new InputError(
      "input.invalid",
      `Refusing to listen on ${host} without authentication: whoever reaches it could use the agent. ` +
        "Listen on 127.0.0.1, or set up authentication.",
    );
  if (options.authenticate === undefined && (options.security ?? options.extendedCard) !== undefined)
    throw new InputError(
      "input.invalid",
      "The card asks for credentials, or offers more to who shows them, but nothing checks them: hand in authenticate.",
    );
  needNode(process.versions.node);
  const limits = serverLimits(options.limits, { authenticated: options.authenticate !== undefined });
  const log = (options.log ?? silentLog).child({ agent: agent.profile.name });
  const store = options.store ?? createMemoryTaskStore({ clock });
  const coalesceMs = options.coalesceMs ?? DEFAULT_COALESCE_MS;
  const { handOver = false, whenBusy = "refuse", metrics = silentMetrics } = options;
  if (store.suspended !== undefined) agent.keepWaiting?.(store.suspended);
  const parts = { agent, store, clock, newId, log, metrics };
  const pushOptions = options.push === true ? {} : options.push === false ? undefined : options.push;
  const push = pushOptions && startPush(store, pushOptions, parts);
  const runtime = new AgentRuntime({
    ...parts,
    ...(push === undefined ? {} : { changed: push.sender.changed }),
    coalesceMs,
    handOver,
    whenBusy,
    yieldToLoop,
  });
  await runtime.recover();

  const app = express();
  const { connectionLimits = {} } = options;
  const { requestTimeout, ...timeouts } = connectionTimeouts(connectionLimits);
  // Seen to by `bodyDeadline`, from which some are exempt.
  let listener: RequestListener = app;
  const server = createServer({ ...timeouts, requestTimeout: 0 }, (req, res) => listener(req, res));
  server.maxConnections = maxConnections(connectionLimits);
  server.on("connection", connectionGate(connectionLimits));
  const bracketed = host.includes(":") ? `[${host}]` : host;
  let grpc: OpenGrpcBinding | undefined;
  try {
    const { hostname } = new URL(options.publicUrl ?? `http://${bracketed}`);
    // Before HTTP, which is answered only once all that is below is mounted.
    grpc = await options.grpc?.open({ host, hostname, connectionLimits, limits });
    await listen(server, host, port);
  } catch (error) {
    await grpc?.close();
    // It may hold tasks already, and would keep them from whoever can be reached.
    await runtime.close();
    throw error;
  }
  const bound = server.address() as AddressInfo;
  const url = `http://${bracketed}:${bound.port}`;
  const publicUrl = (options.publicUrl ?? url).replace(/\/+$/, "");
  const { hostname, pathname } = new URL(publicUrl);

  const { security, extensions, extendedCard } = options;
  const card = cardOf(agent.profile, publicUrl, {
    files: options.files !== undefined,
    ...(security === undefined ? {} : { security }),
    ...(extensions === undefined ? {} : { extensions }),
    extended: extendedCard !== undefined,
    push: push !== undefined,
    ...(grpc === undefined ? {} : { grpcUrl: grpc.url }),
  });
  if (options.authenticate !== undefined && card.securityRequirements.length === 0)
    log.warn("callers are asked who they are, and the card does not say so: hand in security");
  const structured = options.structuredOutput ?? true;
  const handler = createRequestHandler({
    card,
    runtime,
    store,
    log,
    structured,
    limits,
    ...(agent.repliesWith === undefined ? {} : { repliesWith: agent.repliesWith.bind(agent) }),
    ...(push === undefined ? {} : { push: push.operations }),
    ...(options.files === undefined ? {} : { files: options.files }),
    ...(extendedCard === undefined ? {} : { extendedCard }),
  });

  app.disable("x-powered-by");
  const prefix = pathname.replace(/\/+$/, "");
  const { takesTime = () => false } = options;
  const doors: readonly Step[] = [
    stripPrefix(prefix),
    bodyDeadline({ ms: requestTimeout, clock, takesTime }),
    ...(isLoopback(host) ? [hostCheck([hostname])] : []),
    ...(options.authenticate === undefined ? [siteCheck([hostname])] : []),
  ];
  app.use(...doors);
  const instance = newId();
  const lacks = options.ready ?? (() => Promise.resolve({}));
  const { authenticate } = options;
  const { unpriced } = agent;
  const costs = unpriced === undefined ? {} : { unpriced };
  const health = { instance, closing: () => runtime.closing, lacks, clock, log, ...costs };
  mountHealth(app, authenticate === undefined ? health : { ...health, authenticate });
  // The second is where 0.2 had it, and where older clients still look.
  app.get(["/.well-known/agent-card.json", "/.well-known/agent.json"], cardRoute(card, clock.now()));
  options.openRoutes?.(app);
  const accounts = createAccounts(limits, clock);
  const gates: readonly Step[] = [
    ...(authenticate === undefined ? [] : [authenticationGate(authenticate, log)]),
    limitGate(accounts, clock),
  ];
  app.use(...gates);
  if (agent.overview !== undefined) mountOverview(app, agent, log);
  options.routes?.(app);
  listener = mountBindings(app, {
    doors: [...doors, ...gates],
    prefix,
    agent: agent.profile.name,
    binding: { card, handler, clock, log },
    body: { limit: limits.bodyBytes, weigh: weighBody },
    closing: () => runtime.closing,
  });

  grpc?.serve({ card, handler, accounts, authenticate, closing: () => runtime.closing, clock, log });

  void push?.sender.catchUp();

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    await runtime.close();
    push?.sender.close();
    // Streams end with their tasks; one turn lets the last frames leave.
    await yieldToLoop();
    await grpc?.close();
    server.closeAllConnections();
    await stopped;
  };
  return {
    url,
    ...(grpc === undefined ? {} : { grpcUrl: grpc.url }),
    instance,
    async send(request, caller) {
      const whose = caller === undefined ? { owner: "" } : { owner: caller.id, caller };
      await runtime.submit(wellFormed(toMessage(request, newId())), { ...whose, structured });
    },
    close: () => (closed ??= close()),
  };
}
