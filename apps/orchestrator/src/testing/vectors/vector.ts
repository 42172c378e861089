import { z } from "zod";

/** One case of a vectors file: what goes in, and what was expected of it, by key. */
export const vectorSchema = z.looseObject({ id: z.string(), kind: z.string() });
export type Vector = z.output<typeof vectorSchema>;

/** What Troupe does on a case, under the keys of that file's expectations. */
export type Actual = Readonly<Record<string, unknown>>;

/** Runs the cases of one kind. Throws where the case does not have the shape of its kind. */
export type RunVector = (vector: Vector) => Actual | Promise<Actual>;
