import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

/** Root of the repository. */
export const repository = resolve(import.meta.dirname, "..", "..", "..", "..");

/** Runs a command to its end and gives what it printed; throws with all of it when it fails. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((done, fail) => {
    execFile(command, [...args], { ...options, maxBuffer: 50_000_000 }, (error, stdout, stderr) => {
      if (error === null) done(stdout);
      else fail(new Error(`${[command, ...args].join(" ")} failed in ${options.cwd}:\n${stdout}\n${stderr}`));
    });
  });
}

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
  /** As `kill -9` does. */
  kill(): Promise<void>;
}

/** Starts a Node program that prints the address it listens at, with nothing in its environment but `env`. */
export async function startServer(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: { readonly [name: string]: string } },
): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, [...args], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let printed = "";
  const url = await new Promise<string>((found, fail) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, address] = /(http:\/\/127\.0\.0\.1:\d+)\S*\n/.exec(printed) ?? [];
      if (address !== undefined) found(address);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    ended.then(
      () => fail(new Error(`${args.join(" ")} ended in ${options.cwd}:\n${printed}`)),
      (error: unknown) => fail(error as Error),
    );
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
