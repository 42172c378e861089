import picocolors from "picocolors";

/** Colour where a person looks: `NO_COLOR` and `TERM=dumb` turn it off, `FORCE_COLOR` on. */
export function wantsColor(
  env: { readonly [name: string]: string | undefined },
  isTerminal: boolean,
): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  if ((env["FORCE_COLOR"] ?? "") !== "" && env["FORCE_COLOR"] !== "0") return true;
  return isTerminal && env["TERM"] !== "dumb";
}

export type Colors = ReturnType<typeof picocolors.createColors>;

export const colors = picocolors.createColors;
