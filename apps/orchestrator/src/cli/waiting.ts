import type { InputRequest } from "@troupe/stream";

import { harmless } from "./render/harmless.ts";

interface Asked {
  readonly step: string;
  readonly request: InputRequest;
}

/** What a run waits for, and how to go on. */
export function waitingText(runId: string, requests: readonly Asked[]): string {
  const lines = requests.map(({ request }) =>
    request.kind === "form"
      ? `The run waits for a person: ${harmless(request.form.title)}.`
      : "The run waits for a person to approve tool calls.",
  );
  const how = requests.map((asked) => `  ${answerCommand(runId, asked)}\n`).join("");
  return `${lines.join("\n")} Answer it or end it with\n${how}  troupe cancel ${runId}\n`;
}

/** The command that answers one question. */
export function answerCommand(runId: string, { step, request }: Asked): string {
  const flags =
    request.kind === "form" ? request.form.fields.map((field) => ` --input ${field.field_name}=...`) : [];
  return `troupe answer ${runId} ${step}${harmless(flags.join(""))}`;
}
