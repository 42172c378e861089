import type { InputForm } from "@troupe/stream";

const MAX_FORMS = 1_000;

/**
 * Forms that wait for a person, so that a reply can be checked against what was asked. Kept in
 * memory, the oldest given up first: a reply to a form that is no longer known is not checked.
 */
export class PendingForms {
  readonly #forms = new Map<string, { readonly runId: string; readonly form: InputForm }>();

  remember(runId: string, requestId: string, form: InputForm): void {
    this.#forms.set(requestId, { runId, form });
    for (const oldest of this.#forms.keys()) {
      if (this.#forms.size <= MAX_FORMS) return;
      this.#forms.delete(oldest);
    }
  }

  get(requestId: string): InputForm | undefined {
    return this.#forms.get(requestId)?.form;
  }

  forget(requestId: string): void {
    this.#forms.delete(requestId);
  }

  /** Nobody will answer what this run asked. */
  forgetRun(runId: string): void {
    for (const [requestId, asked] of this.#forms) if (asked.runId === runId) this.#forms.delete(requestId);
  }
}
