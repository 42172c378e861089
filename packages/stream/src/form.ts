import type { Json } from "./json.ts";

export type FieldType = "text" | "select" | "multiselect" | "boolean" | "number" | "url" | "email";

/** One field of a form. The names are those of the field's `UserInputMetaData` artifact. */
export interface InputField {
  readonly field_name: string;
  readonly field_label: string;
  readonly field_description: string;
  readonly field_type: FieldType;
  /** Options of `select` and `multiselect`, empty otherwise. */
  readonly field_values: readonly string[];
  readonly default_value: string | number | boolean | readonly string[] | null;
  readonly placeholder: string;
  readonly required: boolean;
}

/** What an agent cannot do before a person lets it: grant access, sign in, give consent. */
export interface AccessRequest {
  /** Whose access is needed, in words. */
  readonly service: string;
  /** Where it is granted, http or https. What is typed in there never passes through the agent. */
  readonly url?: string;
  readonly scopes?: readonly string[];
}

export interface InputForm {
  readonly title: string;
  readonly description: string;
  readonly fields: readonly InputField[];
  /** The form is answered once access has been granted elsewhere: none of its values is a credential. */
  readonly access?: AccessRequest;
}

/** A tool call that waits for a person's decision. */
export interface PendingCall {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Json;
}

/** What a person is asked: a form to fill, or calls to approve. */
export type InputRequest = {
  readonly requestId: string;
  /** Until when it can be answered, in milliseconds since the Unix epoch; absent where that is for ever. */
  readonly expiresAt?: number;
} & (
  | { readonly kind: "form"; readonly form: InputForm }
  | { readonly kind: "approval"; readonly calls: readonly PendingCall[] }
);

export type FormValues = { readonly [field: string]: string | number | boolean | readonly string[] | null };

export type Decision =
  | { readonly callId: string; readonly type: "approve" }
  | { readonly callId: string; readonly type: "edit"; readonly arguments: Json }
  | { readonly callId: string; readonly type: "reject"; readonly reason: string };

/** What a person answered, as one data part. */
export type InputReply =
  | { readonly requestId: string; readonly values: FormValues }
  | { readonly requestId: string; readonly decisions: readonly Decision[] };

/** Who answered what was asked, when, and how the answer came. */
export interface Answered {
  readonly requestId: string;
  /** Whom the answer is from; absent where nobody is asked who they are. */
  readonly by?: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /**
   * Which way it came, such as `cli`, `a2a`, `api` or `library`, as the client says; `default` where nobody
   * answered in time and the form's own values were taken.
   */
  readonly through: string;
}
