import { randomUUID } from "node:crypto";

/** An id nobody can guess. */
export const newId = (): string => randomUUID();
