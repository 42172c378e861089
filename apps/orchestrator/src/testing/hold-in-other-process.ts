import { spawn } from "node:child_process";
import { once } from "node:events";

const module = new URL("../adapters/held-file.ts", import.meta.url).href;

export interface OtherHolder {
  readonly pid: number;
  /** Without a chance to let go. */
  kill(): Promise<void>;
}

/** Another process that holds a file, named by its process id where that matters. */
export async function holdInOtherProcess(path: (pid: number) => string): Promise<OtherHolder> {
  const script = `import { holdFile } from ${JSON.stringify(module)};
    process.on("message", (path) => { holdFile(path); process.send("held"); });`;
  const child = spawn(
    process.execPath,
    [
      "--conditions=troupe-source",
      "--disable-warning=ExperimentalWarning",
      "--input-type=module",
      "-e",
      script,
    ],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const pid = child.pid ?? 0;
  child.send(path(pid));
  await once(child, "message");
  return {
    pid,
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
