import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";

/** Two of these a process is what logs may take. */
const MAX_BYTES = 10_000_000;

export interface LogFile {
  write(line: string): void;
  close(): void;
}

/**
 * A log that keeps the order of its lines and has an end: at 10 MB it becomes `<path>.1`, in place of
 * the one before, and a new one begins. Lines are few, so each is written at once. A log that cannot
 * be written is lost, and nothing else is. It quotes what people asked: nobody else reads it.
 */
export function openLogFile(path: string, maxBytes = MAX_BYTES): LogFile {
  let file = tryTo(() => openSync(path, "a", 0o600));
  let size = tryTo(() => (file === undefined ? 0 : fstatSync(file).size)) ?? 0;
  const close = (): void => {
    const held = file;
    file = undefined;
    if (held !== undefined) tryTo(() => closeSync(held));
  };
  return {
    write(line) {
      const text = Buffer.from(`${line}\n`);
      if (size > 0 && size + text.length > maxBytes) {
        close();
        tryTo(() => renameSync(path, `${path}.1`));
        file = tryTo(() => openSync(path, "w", 0o600));
        size = 0;
      }
      const open = file;
      if (open === undefined) return;
      size += text.length;
      tryTo(() => writeSync(open, text));
    },
    close,
  };
}

/** Whether the last process that logged here was killed: it logged its start and not its end. */
export function wasKilled(path: string): boolean {
  const log = tryTo(() => readFileSync(path)) ?? Buffer.alloc(0);
  return log.lastIndexOf('"msg":"started"') > log.lastIndexOf('"msg":"stopped"');
}

function tryTo<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
