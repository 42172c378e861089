import type { ModelRequest } from "@troupe/core";

import type { PlaybookMove } from "../policy/playbook.ts";
import { capitalized } from "../words.ts";

interface Finding {
  readonly step: string;
  readonly answer: string;
}

export interface Findings {
  readonly parts: readonly Finding[];
  /** Lines about files that were not read and steps without a result. */
  readonly missing: string;
}

const FINDING = /^Step (\S+) \([^\n]*\):\n(.*)$/s;
const NOTE = /^(?:Files that were not read|Steps without a finding):\n(.*)$/s;

/** The only tool that a request for a synthesis offers. Rules cannot tell what is missing, so they never call it. */
const ADD_STEPS = "add_steps";

/** The steps' results in a request for a synthesis; undefined for any other request. */
export function readFindings({ messages, tools }: ModelRequest): Findings | undefined {
  if (tools.some(({ name }) => name !== ADD_STEPS)) return undefined;
  const texts = messages.slice(1).flatMap((message) => (message.role === "user" ? [message.text] : []));
  const parts = texts.flatMap((text) => {
    const [, step, answer] = FINDING.exec(text) ?? [];
    return step === undefined || answer === undefined ? [] : [{ step, answer }];
  });
  const missing = texts.flatMap((text) => NOTE.exec(text)?.[1] ?? []).join("\n");
  return parts.length === 0 && missing === "" ? undefined : { parts, missing };
}

/** What is missing, then the answers in order; where there are several, each under the name of its step. */
export function joinFindings({ parts, missing }: Findings): PlaybookMove {
  const all = missing === "" ? parts : [{ step: "what-is-missing", answer: missing }, ...parts];
  const [only] = all;
  if (only !== undefined && all.length === 1) return { say: only.answer };
  return { say: all.map(({ step, answer }) => `## ${heading(step)}\n\n${answer.trim()}`).join("\n\n") };
}

/** `market-data` becomes `Market data`. */
function heading(step: string): string {
  return capitalized(step.replaceAll(/[-_]+/g, " ").trim());
}
