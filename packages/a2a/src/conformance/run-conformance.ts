import { AgentError, InputError, randomId, systemClock, type Fetch } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { defaultFetch } from "../adapters/default-fetch.ts";
import { observe } from "./behaviour.ts";
import { CASES } from "./cases/all.ts";
import { PROMPTS, type Prompts } from "./prompts.ts";
import type * as GrpcWire from "./raw/grpc-wire.ts";
import { openWire, type Wire } from "./raw/wire.ts";
import {
  isExpected,
  reportOf,
  type ConformanceReport,
  type ExpectedFailure,
  type Finding,
} from "./report.ts";
import type { Binding, Requirement } from "./requirement.ts";
import { REQUIREMENTS } from "./requirements/all.ts";
import { findTarget, whyNot, type Interface, type Target } from "./target.ts";
import type { Callers, Receiver, Trial } from "./trial.ts";
import { NotExercised, Violation } from "./verdict.ts";

export interface ConformanceOptions {
  /** Of every request. */
  readonly headers?: { readonly [name: string]: string };
  /**
   * Headers that say who calls. They go to the origin of `url` alone, over gRPC to its host, wherever the
   * card points, and are left out where it is tried what strangers get to see.
   */
  readonly credentials?: { readonly [name: string]: string };
  /** Those the card offers, when absent. */
  readonly bindings?: readonly Binding[];
  /** Ids of requirements; all when absent. */
  readonly only?: readonly string[];
  readonly expected?: readonly ExpectedFailure[];
  readonly prompts?: Partial<Prompts>;
  readonly callers?: Callers;
  readonly receiver?: Receiver;
  /** For one requirement over one binding, in milliseconds; 60 s by default, since models take their time. */
  readonly timeoutMs?: number;
  readonly fetchImpl?: Fetch;
  readonly clock?: Clock;
  readonly newId?: () => string;
  readonly signal?: AbortSignal;
  /** Hears of each requirement when it has been tried. */
  readonly onFinding?: (finding: Finding) => void;
}

const TIMEOUT_MS = 60_000;

/**
 * Tries all that A2A 1.0 asks of a server on the one at `url`: its address, or that of its card. Every
 * request is made by hand, so that nothing in between makes good what is wrong.
 *
 * Throws an `AgentError` when there is no card or nothing on it can be spoken to, and an `InputError`
 * for an id that is no requirement's.
 */
export async function runConformance(
  url: string,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const { headers = {}, credentials = {}, expected = [] } = options;
  const { newId = randomId, fetchImpl = defaultFetch } = options;
  const { signal = new AbortController().signal } = options;
  checkIds([...(options.only ?? []), ...expected.map(({ requirement }) => requirement)]);
  const bounded = boundedBy(options, signal);
  const found = await bounded((until) => findTarget(url, { fetchImpl, headers, signal: until })).catch(
    (error: unknown) => {
      if (!(error instanceof Violation)) throw error;
      throw new AgentError("agent.unreachable", `${url} gave no card in time: ${error.message}`);
    },
  );
  const prompts = { ...PROMPTS, ...options.prompts };
  const asked = (name: Binding): boolean => options.bindings?.includes(name) ?? true;
  const grpc = found.offered.has("GRPC") && asked("GRPC") ? await loadGrpcWire() : undefined;
  const target = grpc === undefined ? withoutGrpc(found) : found;
  const missing = new Map(
    found !== target && asked("GRPC") ? [["GRPC", "Install @grpc/grpc-js and @bufbuild/protobuf."]] : [],
  );
  const wanted = [...target.offered].filter(([name]) => asked(name));
  if (wanted.length === 0 && missing.size > 0)
    throw new AgentError(
      "agent.config",
      `${url} can be tried over gRPC only. ${[...missing.values()].join(" ")}`,
    );
  const { cardUrl } = target;
  const home = URL.parse(cardUrl);
  const open = ({ url: to, tenant }: Interface, binding: Binding, until: AbortSignal): Wire => {
    // gRPC has a port of its own, so that what is compared is its host.
    const own =
      binding === "GRPC"
        ? URL.parse(to.includes("://") ? to : `grpc://${to}`)?.hostname === home?.hostname
        : URL.parse(to)?.origin === home?.origin;
    const sent = own ? { ...headers, ...credentials } : headers;
    const wire = { url: to, tenant, fetchImpl, headers: sent, signal: until, newId };
    if (binding !== "GRPC") return openWire({ ...wire, binding });
    return (grpc ?? notOffered(binding))({ ...wire, binding, cardUrl });
  };
  const behaviours = new Map(
    wanted.map(([binding, one]) => [
      binding,
      observe((use) => bounded((until) => use(open(one, binding, until))), prompts, newId),
    ]),
  );

  const attempt = async (requirement: Requirement, binding: Binding): Promise<void> => {
    const tried = CASES.find(({ verifies }) => verifies === requirement.id);
    const behaviour = behaviours.get(binding);
    if (tried === undefined || behaviour === undefined) return;
    await bounded(async (until) => {
      const wires = wanted.map(([name, one]) => open(one, name, until));
      const cleanups: (() => Promise<unknown>)[] = [];
      const { legacy } = target;
      const trial: Trial = {
        target,
        wires,
        wire: wires.find((wire) => wire.binding === binding) ?? notOffered(binding),
        behaviour,
        prompts,
        callers: options.callers ?? {},
        receiver: options.receiver,
        credentials,
        signal: until,
        newId,
        get: (address, more = {}) => fetchImpl(address, { headers: { ...headers, ...more }, signal: until }),
        legacy: () => open(legacy ?? notOffered("0.3"), "JSONRPC", until),
        after: (work) => void cleanups.unshift(work),
      };
      try {
        await tried.run(trial);
      } finally {
        for (const work of cleanups) await work().catch(() => undefined);
      }
    });
  };

  const findings: Finding[] = [];
  for (const requirement of REQUIREMENTS) {
    if (options.only?.includes(requirement.id) === false) continue;
    for (const binding of bindingsOf(requirement, wanted)) {
      signal.throwIfAborted();
      const why = requirement.untestable ?? whyNot(requirement.applies, target);
      const finding: Finding =
        why === undefined
          ? await tell(
              requirement,
              binding,
              attempt(requirement, binding === "agent" ? first(wanted) : binding),
              expected,
            )
          : {
              requirement,
              binding,
              outcome: requirement.untestable === undefined ? "not-applicable" : "untestable",
              why,
            };
      findings.push(finding);
      options.onFinding?.(finding);
    }
  }
  return reportOf(target, new Set(wanted.map(([name]) => name)), findings, expected, missing);
}

/** Undefined where the packages that gRPC takes are not installed. */
async function loadGrpcWire(): Promise<typeof GrpcWire.openGrpcWire | undefined> {
  try {
    return (await import("./raw/grpc-wire.ts")).openGrpcWire;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function withoutGrpc(target: Target): Target {
  if (!target.offered.has("GRPC")) return target;
  return { ...target, offered: new Map([...target.offered].filter(([name]) => name !== "GRPC")) };
}

type Wanted = readonly (readonly [Binding, Interface])[];

function first(wanted: Wanted): Binding {
  return wanted[0]?.[0] ?? "JSONRPC";
}

function bindingsOf(requirement: Requirement, wanted: Wanted): readonly (Binding | "agent")[] {
  const { over } = requirement;
  if (over === "agent") return ["agent"];
  return wanted.map(([name]) => name).filter((name) => over.includes(name));
}

async function tell(
  requirement: Requirement,
  binding: Binding | "agent",
  attempt: Promise<void>,
  expected: readonly ExpectedFailure[],
): Promise<Finding> {
  const found = { requirement, binding };
  try {
    await attempt;
    return { ...found, outcome: "passed", why: "" };
  } catch (error) {
    if (error instanceof NotExercised) return { ...found, outcome: "not-exercised", why: error.message };
    // Whatever else was thrown came of the connection: it broke, or was refused.
    const why = error instanceof Violation ? error.message : `The connection failed: ${String(error)}.`;
    const known = expected.find((entry) => isExpected(entry, found));
    if (known !== undefined) return { ...found, outcome: "expected-failure", why: `${why} ${known.reason}` };
    return { ...found, outcome: requirement.level === "SHOULD" ? "advised" : "failed", why };
  }
}

/** Lets something take only so long; what it opened is closed with it. */
function boundedBy(
  { clock = systemClock, timeoutMs = TIMEOUT_MS }: ConformanceOptions,
  signal: AbortSignal,
): <T>(use: (until: AbortSignal) => Promise<T>) => Promise<T> {
  return async (use) => {
    const controller = new AbortController();
    const timedOut = Promise.withResolvers<never>();
    timedOut.promise.catch(() => undefined);
    const cancel = clock.schedule(timeoutMs, () => {
      timedOut.reject(new Violation(`It did not come to an end within ${timeoutMs / 1_000} s.`));
    });
    try {
      return await Promise.race([use(AbortSignal.any([signal, controller.signal])), timedOut.promise]);
    } finally {
      cancel();
      controller.abort();
    }
  };
}

function notOffered(what: string): never {
  throw new Violation(`The card does not offer ${what}.`);
}

function checkIds(ids: readonly string[]): void {
  const unknown = ids.filter((id) => !REQUIREMENTS.some((requirement) => requirement.id === id));
  if (unknown.length > 0)
    throw new InputError(
      "input.invalid",
      `There is no requirement ${unknown.map((id) => `"${id}"`).join(", ")}.`,
    );
}
