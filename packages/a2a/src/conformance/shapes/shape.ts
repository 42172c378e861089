/** What a field holds, in ProtoJSON. */
export type FieldType =
  | "string"
  | "bool"
  | "int"
  | "base64"
  /** A time, in ISO 8601. */
  | "time"
  /** An object of anything; its keys are somebody else's. */
  | "struct"
  | "any"
  | { readonly one: readonly string[] }
  | { readonly message: string }
  | { readonly map: FieldType };

export interface Field {
  readonly type: FieldType;
  readonly list?: true;
  /** As the service definition marks it. */
  readonly required?: true;
}

export interface Shape {
  readonly fields: { readonly [name: string]: Field };
  /** Fields of which exactly one is there. */
  readonly oneOf?: readonly string[];
}
