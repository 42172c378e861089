/** Ids of people become owners of tasks and files, and stand in logs. */
const MAX_ID = 200;

/** Whether an id is one that a person or a program can have. The empty one is nobody's. */
export function isCallerId(id: string): boolean {
  return id !== "" && id.length <= MAX_ID && id === id.trim() && !/\p{C}/u.test(id);
}

/** `*`, `metrics`, or the right to use an agent. */
export function isScope(scope: string): boolean {
  return scope === "*" || scope === "metrics" || /^agent:[^\s\p{C}*]{1,200}$/u.test(scope);
}
