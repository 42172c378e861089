import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("crash-agent.ts", import.meta.url));
const FLAGS = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];

/** The agent as a process of its own. */
export interface AgentProcess {
  /** Resolves with its address once it serves; rejects when it ends before. */
  readonly ready: Promise<string>;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
}

export function startAgentProcess(home: string, port: number): AgentProcess {
  const child = spawn(process.execPath, [...FLAGS, PROGRAM, home, String(port)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = once(child, "exit");
  const ready = firstLine(child);
  // Whoever kills it while it starts does not wait for it.
  ready.catch(() => undefined);
  return {
    ready,
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new TypeError("the agent was started without pipes");
  let said = "";
  stderr.on("data", (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4_000)));
  return new Promise((resolve, reject) => {
    createInterface(stdout).once("line", resolve);
    child.once("exit", (code, signal) =>
      reject(new Error(`the agent ended (${code ?? signal ?? "?"}) before it served: ${said}`)),
    );
  });
}
