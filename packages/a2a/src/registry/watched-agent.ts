import {
  AgentError,
  isTroupeError,
  type AgentCapabilities,
  type AgentEntry,
  type Fetch,
  type Log,
} from "@troupe/core";
import type { Limiter } from "@troupe/core/resilience";
import type { Clock } from "@troupe/stream";

import { shown } from "../client/agent-address.ts";
import { createAgentGate, type AgentGate } from "../client/agent-gate.ts";
import type { CallHeaders } from "../client/call-headers.ts";
import type { CallLimits } from "../client/call-limits.ts";
import { connectByCard } from "../client/connect-agent.ts";
import type { AgentConnection } from "../client/connection.ts";
import { toAgentError } from "../client/errors.ts";
import type { GrpcClient } from "../client/grpc-client.ts";
import type { CardReading } from "../client/fetch-card.ts";
import { checkAgent } from "./check-agent.ts";

/** A remote agent that came, left or came back. */
export interface AgentChange {
  /** Its address until it has said its name. */
  readonly name: string;
  readonly url: string;
  readonly status: "up" | "down";
  readonly reason?: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface WatchOptions {
  readonly fetch: Fetch;
  readonly headers: CallHeaders;
  readonly limits: CallLimits;
  readonly grpc?: GrpcClient;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Places for looks at the same time, shared by all agents. */
  readonly places: Limiter;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly log: Log;
  /** More on why an agent cannot be reached; added to the reason. */
  readonly whyDown?: (url: string) => string | undefined;
  /** It told a name it did not have before. */
  readonly onNamed: (name: string) => void;
  readonly onChange: (change: AgentChange) => void;
}

/** An agent that was well and says otherwise is looked at again so soon before it counts as down. */
const AGAIN_MS = 1_000;
const NOT_LOOKED = "not checked yet";
const NEVER = new AbortController().signal;

/** A remote agent and how it is, as of the last look. */
export class WatchedAgent {
  readonly url: string;
  /** Milliseconds since the Unix epoch. */
  readonly addedAt: number;
  readonly #options: WatchOptions;
  readonly #gate: AgentGate;
  #reading: CardReading | undefined;
  #connection: AgentConnection | undefined;
  #status: "unseen" | "up" | "down" = "unseen";
  #reason: string | undefined = NOT_LOOKED;
  #capabilities: AgentCapabilities | undefined;
  #unpriced: string | undefined;
  #since: number | undefined;
  #doubted = false;
  #looking: Promise<void> | undefined;
  #cancelTimer: () => void = () => undefined;
  #stopped = false;

  constructor(url: string, options: WatchOptions) {
    this.url = url;
    this.addedAt = options.clock.now();
    this.#options = options;
    // Calls find out sooner than the next look would.
    this.#gate = createAgentGate(options.limits, { clock: options.clock, onOpen: () => void this.look() });
  }

  /** One that was never reached is known by its address only. */
  get name(): string {
    return this.#connection?.profile.name ?? this.url;
  }

  get isUp(): boolean {
    return this.#status === "up";
  }

  /** Nobody has looked at it yet. */
  get isNew(): boolean {
    return this.#status === "unseen";
  }

  /** Why it cannot be asked. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** The last one made, kept while the agent is away; undefined until it was reached. */
  get connection(): AgentConnection | undefined {
    return this.#connection;
  }

  get entry(): AgentEntry {
    const nameless = { name: this.url, title: this.url, description: "", version: "", skills: [] };
    return {
      ...(this.#connection?.profile ?? nameless),
      url: this.url,
      status: this.isUp ? "up" : "down",
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      ...(this.#capabilities === undefined ? {} : { capabilities: this.#capabilities }),
      ...(this.#unpriced === undefined ? {} : { unpriced: this.#unpriced }),
      ...(this.#since === undefined ? {} : { since: this.#since }),
    };
  }

  /** Looks now, or joins the look that goes on. Never fails. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    }));
  }

  /** Looks again and again, until it is stopped. */
  watch(): void {
    if (this.#stopped) return;
    const { clock, random, intervalMs } = this.#options;
    // Agents that were added together are not looked at together for ever.
    const wait = this.#doubted ? Math.min(AGAIN_MS, intervalMs) : intervalMs * (1 - random() / 4);
    this.#cancelTimer = clock.schedule(wait, () => void this.look().then(() => this.watch()));
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
  }

  async #look(): Promise<void> {
    const { places, clock, timeoutMs } = this.#options;
    const leave = await places.acquire(NEVER);
    const call = new AbortController();
    const late = new AgentError("agent.unreachable", `No answer within ${timeoutMs} ms.`, {
      retryable: true,
    });
    const stop = clock.schedule(timeoutMs, () => call.abort(late));
    try {
      await this.#check(call.signal);
    } catch (error) {
      const why = call.signal.aborted ? late : error;
      const told = toAgentError(why, `The agent at ${shown(this.url)}`, NEVER);
      const reason = isTroupeError(told) ? told.message : "The check failed.";
      const known = this.#options.whyDown?.(this.url);
      this.#down(known === undefined ? reason : `${reason} ${known}`);
    } finally {
      stop();
      leave();
    }
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { fetch, headers } = this.#options;
    const checked = await checkAgent(this.url, {
      fetchImpl: fetch,
      headers: await headers({ url: this.url, authenticates: false }),
      signal,
      known: this.#reading,
    });
    const { reading, capabilities, reasons } = checked;
    this.#unpriced = checked.unpriced;
    // A connection remembers what its agent answered; only a changed card needs a new one.
    if (reading !== this.#reading) await this.#connect(reading);
    if (reasons.length === 0) this.#up(capabilities);
    // An agent that has much to do may be slow to say that it is well.
    else if (this.isUp && capabilities?.card === true && !this.#doubted) this.#doubted = true;
    else this.#down(`It can be reached but is not ready: ${reasons.join("; ")}`, capabilities);
  }

  async #connect(reading: CardReading): Promise<void> {
    const before = this.#connection?.profile.name;
    const options = { ...this.#options, gate: this.#gate };
    this.#connection = await connectByCard(reading.card, this.url, options);
    this.#reading = reading;
    if (this.name !== before) this.#options.onNamed(this.name);
  }

  #up(capabilities: AgentCapabilities | undefined): void {
    this.#doubted = false;
    this.#capabilities = capabilities;
    this.#reason = undefined;
    if (this.isUp) return;
    // What calls went through before says nothing about it now.
    this.#gate.breaker.relent();
    this.#turn("up");
    this.#options.log.info("agent is up", { agent: this.name, url: this.url });
  }

  #down(reason: string, capabilities?: AgentCapabilities): void {
    this.#doubted = false;
    this.#capabilities = capabilities;
    this.#reason = reason;
    if (this.#status === "down") return;
    this.#turn("down");
    this.#options.log.warn("agent is down", { agent: this.name, url: this.url, reason });
  }

  #turn(status: "up" | "down"): void {
    const at = this.#options.clock.now();
    this.#status = status;
    this.#since = at;
    const reason = this.#reason === undefined ? {} : { reason: this.#reason };
    this.#options.onChange({ name: this.name, url: this.url, status, ...reason, at });
  }
}
