import { momentText } from "@troupe/core";
import type { InputForm, InputRequest } from "@troupe/stream";

import { planIn } from "@troupe/workflow";

import type { CliContext } from "./context.ts";
import { callLines } from "./decide.ts";
import { planLines, planWaits } from "./decide-plan.ts";
import { fieldLines, needsAnswer } from "./fill-form.ts";
import { harmless } from "./render/harmless.ts";
import { shellWord, typed } from "./typed.ts";

interface Asked {
  readonly step: string;
  readonly request: InputRequest;
}

type Env = Pick<CliContext, "env">;

/** What a run waits for, and how to go on. */
export function waitingText(context: Env, runId: string, requests: readonly Asked[]): string {
  const lines = requests.map(({ request }) => {
    const plan = planIn(request);
    if (plan) return `${planWaits(request)}${until(request)}:\n${planLines(plan)}`;
    return request.kind === "form"
      ? `The run waits for a person${until(request)}: ${sentence(harmless(questionOf(request.form)))}\n${fieldLines(request.form)}`
      : `The run waits for a person to approve${until(request)}:\n${callLines(request.calls)}`;
  });
  const how = requests
    .flatMap((asked) => answerCommands(context, runId, asked).map((line) => `  ${line}\n`))
    .join("");
  return `${lines.join("")}Answer it or end it with\n${how}  ${typed(context, `cancel ${runId}`)}\n`;
}

/** ` until ...`, where the question expires. */
export function until({ expiresAt }: InputRequest): string {
  return expiresAt === undefined ? "" : ` until ${momentText(expiresAt)}`;
}

/**
 * The command that answers one question; for an approval one each way. A person copies it into a
 * shell, and a model may have named the fields.
 */
export function answerCommands(context: Env, runId: string, { step, request }: Asked): readonly string[] {
  const approval = planIn(request) ? " --workflow FILE" : " --edit CALL=JSON";
  const flags =
    request.kind === "form"
      ? [
          fieldsToName(request.form)
            .map((field) => ` --input ${word(`${field.field_name}=...`)}`)
            .join(""),
        ]
      : [" --approve", " --reject REASON", approval];
  return flags.map((flag) => typed(context, `answer ${runId}${step === "" ? "" : ` ${word(step)}`}${flag}`));
}

/** Those that need an answer; all where none does, for without any the command would answer nothing. */
function fieldsToName({ fields }: InputForm): InputForm["fields"] {
  const needed = fields.filter(needsAnswer);
  return needed.length === 0 ? fields : needed;
}

const word = (text: string): string => shellWord(harmless(text));

/** In one line: an agent's form has the agent for a title and its question for a description. */
function questionOf({ title, description }: InputForm): string {
  const more = description === "" || description === title ? "" : ` ${description}`;
  return `${more === "" ? title : sentence(title)}${more}`.replaceAll(/\s+/g, " ");
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
