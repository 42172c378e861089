import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { restateBinary } from "./server-binary.ts";

/** A Restate server of its own process and folder, on free ports of this machine. */
export interface RestateServer {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  /** Where the nodes of a cluster meet. */
  readonly fabricUrl: string;
  /** Ends it at once, as a machine that fails does. What it stored stays. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same ports and folder. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export interface RestateServerOptions {
  readonly nodeName?: string;
  /** Settings of the server, as it reads them from the environment. */
  readonly settings?: Readonly<Record<string, string>>;
}

const READY_MS = 60_000;

/** What it names its listeners in its log. */
const LISTENERS = {
  "message-fabric-server": "fabric",
  "http-ingress-server": "ingress",
  "admin-api-server": "admin",
} as const;

type Ports = Record<(typeof LISTENERS)[keyof typeof LISTENERS], number>;

export async function startRestate(options: RestateServerOptions = {}): Promise<RestateServer> {
  const { nodeName = "node-1", settings = {} } = options;
  const binary = await restateBinary();
  const folder = await mkdtemp(join(tmpdir(), "troupe-restate-"));
  const run = (more: Readonly<Record<string, string>>): ChildProcess => {
    const child = spawn(binary, ["--no-logo"], {
      env: {
        ...process.env,
        RESTATE_BASE_DIR: folder,
        RESTATE_NODE_NAME: nodeName,
        RESTATE_BIND_IP: "127.0.0.1",
        RESTATE_LISTEN_MODE: "tcp",
        RESTATE_LOG_FORMAT: "json",
        RESTATE_DISABLE_TELEMETRY: "true",
        RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256MB",
        ...settings,
        ...more,
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    process.once("exit", () => child.kill("SIGKILL"));
    return child;
  };

  let child = run({ RESTATE_USE_RANDOM_PORTS: "true" });
  const ports = await listeners(child);
  const url = (port: number): string => `http://127.0.0.1:${port}`;
  const ingressUrl = url(ports.ingress);
  const adminUrl = url(ports.admin);
  await ready(child, [`${ingressUrl}/restate/health`, `${adminUrl}/health`]);

  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return {
    ingressUrl,
    adminUrl,
    fabricUrl: url(ports.fabric),
    kill,
    async restart() {
      await kill();
      child = run({
        RESTATE_BIND_ADDRESS: `127.0.0.1:${ports.fabric}`,
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.ingress}`,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.admin}`,
      });
      await ready(child, [`${ingressUrl}/restate/health`, `${adminUrl}/health`]);
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Reads the ports it took out of its log, and goes on reading so that it never waits for us. */
async function listeners(child: ChildProcess): Promise<Ports> {
  if (!child.stdout) throw new Error("its output is not read");
  const ports: Partial<Ports> = {};
  const last: string[] = [];
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
    child.once("exit", (code) => reject(new Error(`restate-server ended (${code}): ${last.join("\n")}`)));
    lines.on("line", (line) => {
      last.push(line);
      if (last.length > 20) last.shift();
      const { span } = parse(line);
      const name = LISTENERS[span?.["server_name"] as keyof typeof LISTENERS];
      const port = Number(span?.["server.port"]);
      if (name === undefined || !Number.isInteger(port)) return;
      ports[name] = port;
      const { fabric, ingress, admin } = ports;
      if (fabric !== undefined && ingress !== undefined && admin !== undefined)
        resolve({ fabric, ingress, admin });
    });
  });
}

function parse(line: string): { readonly span?: Readonly<Record<string, unknown>> } {
  try {
    return JSON.parse(line) as ReturnType<typeof parse>;
  } catch {
    return {};
  }
}

async function ready(child: ChildProcess, urls: readonly string[]): Promise<void> {
  child.stdout?.resume();
  const until = Date.now() + READY_MS;
  for (const url of urls) {
    while (!(await isHealthy(url))) {
      if (Date.now() > until || child.exitCode !== null) throw new Error(`${url} did not become ready`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok,
    () => false,
  );
