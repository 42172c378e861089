import { NO_USAGE, type ErrorInfo, type FormValues, type InputForm, type InputRequest } from "@troupe/stream";

import { humanRequestId } from "../../engine/answer-signal.ts";
import { toJson } from "../../engine/json.ts";
import type { Pending } from "../../engine/port.ts";
import type { StepOutcome } from "../../engine/run.ts";
import type { DagStep } from "../../schema/spec.ts";
import { askPerson, type AskedEnd } from "./ask-person.ts";
import type { ActiveStep, StepHost } from "../host.ts";
import { stamp } from "../stamped.ts";

type Result = Partial<Pick<StepOutcome, "answer" | "data" | "error" | "answers">> &
  Pick<StepOutcome, "outcome">;

/** A step a person does: asks a form and waits for the signal `human:<step>`, as long as there is time for it. */
export class HumanStep implements ActiveStep {
  readonly waiting = true;
  readonly #host: StepHost;
  readonly #step: DagStep;
  readonly #held = new Set<Pending>();
  #startedAt = 0;
  #over = false;

  constructor(host: StepHost, step: DagStep) {
    this.#host = host;
    this.#step = step;
  }

  start(): void {
    const { id, expiresMs, onExpiry } = this.#step;
    const form: InputForm = this.#step.form ?? { title: id, description: this.#step.instruction, fields: [] };
    const request: InputRequest = { requestId: humanRequestId(id), kind: "form", form };
    this.#startedAt = this.#host.lastAt;
    askPerson(this.#host, {
      request,
      at: { stepId: id, attempt: 1 },
      ...(expiresMs === undefined ? {} : { expiresMs }),
      orDefaults: onExpiry === "default",
      hold: (pending, on) => {
        this.#held.add(pending);
        this.#host.watch(pending, on);
      },
      on: (end) => this.#answered(form, end),
    });
    this.#host.state(this.#step, "input_required", `waits for an answer to "${request.requestId}"`);
  }

  stop(outcome: "canceled" | "failed", error: ErrorInfo): void {
    this.#over = true;
    for (const pending of this.#held) this.#host.drop(pending);
    this.#end({ outcome, error });
  }

  #answered(form: InputForm, end: AskedEnd): void {
    const { ctx, services } = this.#host;
    // A signal carries no time; this entry is where the run learns when the person answered.
    const noted = ctx.step(`${this.#step.id}/answered`, () => stamp(services.clock, async () => ({})));
    this.#host.watch(noted, (stamped) => {
      this.#host.read(stamped);
      if (this.#over) return;
      if (!end.ok) {
        const { code, message } = end.error;
        this.#end({ outcome: "failed", error: { code, message } });
        return;
      }
      const values = "values" in end.reply ? end.reply.values : {};
      this.#end({
        outcome: "completed",
        answer: inWords(form, values),
        data: { values: toJson(values) },
        ...(end.answered === undefined ? {} : { answers: [end.answered] }),
      });
    });
  }

  #end(result: Result): void {
    this.#host.end(this.#step, {
      stepId: this.#step.id,
      agent: "",
      answer: "",
      data: null,
      citations: [],
      artifacts: [],
      usage: NO_USAGE,
      ...result,
      provenance: { attempt: 1, startedAt: this.#startedAt, endedAt: this.#host.lastAt },
    });
  }
}

/** One line a field, for the steps that depend on the answer. */
function inWords(form: InputForm, values: FormValues): string {
  return form.fields
    .map((field) => {
      const given = Object.hasOwn(values, field.field_name) ? values[field.field_name] : undefined;
      const value = given ?? "";
      return `${field.field_label}: ${typeof value === "object" ? value.join(", ") : String(value)}`;
    })
    .join("\n");
}
