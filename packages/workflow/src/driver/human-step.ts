import { NO_USAGE, type FormValues, type InputForm, type InputRequest } from "@troupe/stream";

import { answerSignal, humanRequestId } from "../engine/answer-signal.ts";
import { checkReply } from "../engine/check-reply.ts";
import { toJson } from "../engine/json.ts";
import type { Pending, Settled } from "../engine/port.ts";
import type { StepOutcome } from "../engine/run.ts";
import type { DagStep } from "../schema/spec.ts";
import type { ActiveStep, StepHost } from "./host.ts";
import { stamp } from "./stamped.ts";

type Result = Partial<Pick<StepOutcome, "answer" | "data" | "error">> & Pick<StepOutcome, "outcome">;

/** A step a person does: asks a form and waits for the signal `human:<step>`, however long it takes. */
export class HumanStep implements ActiveStep {
  readonly waiting = true;
  readonly #host: StepHost;
  readonly #step: DagStep;
  #asked: Pending | undefined;
  #startedAt = 0;
  #over = false;

  constructor(host: StepHost, step: DagStep) {
    this.#host = host;
    this.#step = step;
  }

  start(): void {
    const { ctx, lastAt } = this.#host;
    const { id } = this.#step;
    const form: InputForm = this.#step.form ?? { title: id, description: this.#step.instruction, fields: [] };
    const request: InputRequest = { requestId: humanRequestId(id), kind: "form", form };
    this.#startedAt = lastAt;
    this.#host.emit(
      `ask/${request.requestId}`,
      { type: "input-required", request },
      { stepId: id, attempt: 1 },
    );
    this.#host.state(this.#step, "input_required", `waits for an answer to "${request.requestId}"`);
    this.#asked = ctx.waitSignal(answerSignal(request.requestId));
    this.#host.watch(this.#asked, (settled) => this.#answered(request, form, settled));
  }

  cancel(): void {
    this.#over = true;
    if (this.#asked) this.#host.drop(this.#asked);
    this.#end({ outcome: "canceled", error: { code: "workflow.canceled", message: "the run was canceled" } });
  }

  #answered(request: InputRequest, form: InputForm, settled: Settled): void {
    const { ctx, services } = this.#host;
    const check = checkReply(request, settled.ok ? settled.value : null);
    // A signal carries no time; this entry is where the run learns when the person answered.
    const noted = ctx.step(`${this.#step.id}/answered`, () => stamp(services.clock, async () => ({})));
    this.#host.watch(noted, (stamped) => {
      this.#host.read(stamped);
      if (this.#over) return;
      if (!check.ok) {
        const message = `the answer to "${request.requestId}" cannot be used: ${check.issues.join("; ")}`;
        this.#end({ outcome: "failed", error: { code: "input.invalid", message } });
        return;
      }
      const values = "values" in check.reply ? check.reply.values : {};
      this.#end({ outcome: "completed", answer: inWords(form, values), data: { values: toJson(values) } });
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
      const value = values[field.field_name] ?? "";
      return `${field.field_label}: ${typeof value === "object" ? value.join(", ") : String(value)}`;
    })
    .join("\n");
}
