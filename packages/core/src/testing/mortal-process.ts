import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const FLAGS = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];

/** A program that says on its first line where it serves, in whichever process it is just now. */
export interface MortalProcess {
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it and does not wait. */
  begin(): void;
  /** Resolves with its address once the process that runs now serves; rejects when it ends before. */
  ready(): Promise<string>;
}

/** Starts the TypeScript file `program` with these arguments. */
export function mortalProcess(program: URL, args: readonly string[]): MortalProcess {
  const path = fileURLToPath(program);
  const start = () => {
    const child = spawn(process.execPath, [...FLAGS, path, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const ready = firstLine(child, basename(path));
    // Whoever kills it while it starts does not wait for it.
    ready.catch(() => undefined);
    return { child, ready, gone: once(child, "exit") };
  };
  let running = start();
  return {
    async kill() {
      running.child.kill("SIGKILL");
      await running.gone;
    },
    begin: () => void (running = start()),
    ready: () => running.ready,
  };
}

function firstLine(child: ChildProcess, program: string): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new TypeError(`${program} was started without pipes`);
  let said = "";
  stderr.on("data", (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4_000)));
  return new Promise((resolve, reject) => {
    createInterface(stdout).once("line", resolve);
    child.once("exit", (code, signal) =>
      reject(new Error(`${program} ended (${code ?? signal ?? "?"}) before it served: ${said}`)),
    );
  });
}
