import type { Binding, Requirement } from "./requirement.ts";
import type { Target } from "./target.ts";

/** What came of a requirement over one binding. */
export type Outcome =
  | "passed"
  | "failed"
  /** It failed, as was expected, for the reason that was given. */
  | "expected-failure"
  /** A recommendation that is not followed. */
  | "advised"
  /** The agent was not seen to do what the requirement is about. */
  | "not-exercised"
  /** The card does not offer what it is about. */
  | "not-applicable"
  /** It cannot be seen from outside. */
  | "untestable";

export interface Finding {
  readonly requirement: Requirement;
  readonly binding: Binding | "agent";
  readonly outcome: Outcome;
  /** Empty when it passed. */
  readonly why: string;
}

/** A failure that is known and put up with. */
export interface ExpectedFailure {
  readonly requirement: string;
  /** Over this binding only. */
  readonly binding?: Binding;
  readonly reason: string;
}

export interface ConformanceReport {
  readonly v: 1;
  readonly kind: "conformance";
  /** Version of the specification. */
  readonly specification: "1.0";
  readonly agent: { readonly name: string; readonly cardUrl: string };
  readonly interfaces: readonly {
    readonly binding: string;
    readonly version: string;
    readonly url: string;
    /** False for what this suite does not speak, or was not asked to. */
    readonly tried: boolean;
    /** What keeps this installation from trying it. */
    readonly why?: string;
  }[];
  readonly findings: readonly Finding[];
  readonly counts: { readonly [outcome in Outcome]: number };
  /** Failures that were expected and did not happen: take them off the list. */
  readonly stale: readonly ExpectedFailure[];
  /** Nothing failed but what was expected to, and nothing is stale. */
  readonly ok: boolean;
}

const NONE: { readonly [outcome in Outcome]: number } = {
  passed: 0,
  failed: 0,
  "expected-failure": 0,
  advised: 0,
  "not-exercised": 0,
  "not-applicable": 0,
  untestable: 0,
};

export function reportOf(
  target: Target,
  tried: ReadonlySet<string>,
  findings: readonly Finding[],
  expected: readonly ExpectedFailure[],
  missing: ReadonlyMap<string, string> = new Map(),
): ConformanceReport {
  const counts = { ...NONE };
  for (const { outcome } of findings) counts[outcome]++;
  const stale = expected.filter(
    (entry) =>
      !findings.some((finding) => finding.outcome === "expected-failure" && isExpected(entry, finding)),
  );
  return {
    v: 1,
    kind: "conformance",
    specification: "1.0",
    agent: { name: target.name, cardUrl: target.cardUrl },
    interfaces: target.interfaces.map(({ binding, version, url }) => {
      const why = version.startsWith("1.") ? missing.get(binding) : undefined;
      return {
        binding,
        version,
        url,
        tried: version.startsWith("1.") && tried.has(binding),
        ...(why === undefined ? {} : { why }),
      };
    }),
    findings,
    counts,
    stale,
    ok: counts.failed === 0 && stale.length === 0,
  };
}

export function isExpected(
  entry: ExpectedFailure,
  finding: { readonly requirement: Requirement; readonly binding: Binding | "agent" },
): boolean {
  return (
    entry.requirement === finding.requirement.id &&
    (entry.binding === undefined || entry.binding === finding.binding)
  );
}
