import { execFile, spawn } from "node:child_process";
import { once } from "node:events";

/** A server of a test: its address, and its end as by a power cut. */
export interface Server {
  readonly url: string;
  kill(): Promise<void>;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = { readonly [name: string]: string };

const flags = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];

/** What one program compiles is kept for the next, which changes nothing of what it does. */
const { NODE_COMPILE_CACHE } = process.env;

/** Starts a program that says where it is ready, with nothing else in its environment but `env`. */
export async function startServer(program: URL, env: Env): Promise<Server> {
  const child = spawn(process.execPath, [...flags, program.pathname], {
    env: { NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        said += chunk;
        const [, address] = /is ready at (http:\S+)\n/.exec(said) ?? [];
        if (address !== undefined) resolve(address);
      });
    void ended.then(() => reject(new Error(`${program.pathname} ended:\n${said}`)));
  });
  return {
    url,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Runs a program to its end, with nobody at its terminal. */
export function runProgram(program: URL, args: readonly string[], env: Env): Promise<Finished> {
  const options = { env: { NODE_COMPILE_CACHE, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, program.pathname, ...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}
