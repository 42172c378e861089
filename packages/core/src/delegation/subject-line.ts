/** What a planner read out of a person's request, so that the agents it delegates to need not read it again. */
export interface RequestSubject {
  /** `overview`: the subject from all sides. `question`: what it asks, and no more. */
  readonly kind: "overview" | "question";
  /** On one line, without the words that only say what to do with it. */
  readonly subject: string;
}

const LINE = /^Subject \((overview|question)\): (\S.*)$/;

/** The instruction with the subject in a last line of its own, which `readSubject` reads back. */
export function withSubject(instruction: string, { kind, subject }: RequestSubject): string {
  return `${instruction}\nSubject (${kind}): ${subject.replaceAll(/\s+/g, " ").trim()}`;
}

/** The subject that an instruction ends with; undefined where none was written, as in a person's own words. */
export function readSubject(instruction: string): RequestSubject | undefined {
  const last = instruction.slice(instruction.lastIndexOf("\n") + 1);
  const [, kind, subject = ""] = LINE.exec(last) ?? [];
  return kind === "overview" || kind === "question" ? { kind, subject } : undefined;
}
