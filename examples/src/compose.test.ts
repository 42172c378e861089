import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { settings as orchestratorSettings } from "@troupe/orchestrator";
import { loadConfig, type SettingMeta } from "@troupe/service";
import { agentSettings } from "@troupe/service/agent";
import { mcpSettings } from "@troupe/service/mcp";
import { describe, expect, it, onTestFinished } from "vitest";
import type { z } from "zod";

import {
  composeProblems,
  over,
  readCompose,
  type ComposeFile,
  type ComposeService,
} from "./support/compose-file.ts";
import { readPage } from "./support/read-page.ts";

const one = readCompose("compose.yaml");
const cluster = readCompose("compose.cluster.yaml");
const deployments: readonly (readonly [string, ComposeFile])[] = [
  ["compose.yaml", one],
  ["compose.yaml with compose.cluster.yaml over it", over(one, cluster)],
];

const own = ({ services }: ComposeFile): readonly (readonly [string, ComposeService])[] =>
  Object.entries(services).filter(([, { image }]) => image?.startsWith("troupe/"));

function schemaOf(app: string): z.ZodObject {
  if (app === "orchestrator") return orchestratorSettings;
  return app.endsWith("-mcp") ? mcpSettings(1) : agentSettings(1);
}

/** With what is asked of whoever starts it. */
const filledIn = (text: string): string =>
  text.replace(/\$\{(\w+)(?::?[-?]([^}]*))?\}/g, (_, name: string, fallback: string) =>
    name === "TROUPE_RESTATE_IDENTITY" ? "publickeyv1_x" : fallback,
  );

it.each([
  ["compose.yaml", one],
  ["compose.cluster.yaml", cluster],
])("%s is a compose file", (_name, file) => {
  expect(composeProblems(file)).toEqual([]);
  const typo = { services: { a: { image: "a", enviroment: {} } } };
  expect(composeProblems(typo)).not.toEqual([]);
});

describe.each(deployments)("%s", (_name, file) => {
  it("runs every app of the repository, each as its image is built", () => {
    for (const [name, { image, build }] of own(file)) {
      expect(existsSync(new URL(`../../apps/${name}/package.json`, import.meta.url))).toBe(true);
      expect(image).toMatch(new RegExp(`^troupe/${name}:`));
      expect(build).toMatchObject({ dockerfile: "deploy/Dockerfile", args: { APP: name } });
    }
    expect(own(file)).toHaveLength(7);
  });

  it.each(own(file))("%s has settings that there are, and that go together", (name, service) => {
    const schema = schemaOf(name);
    const metas = new Map(
      Object.values<z.ZodType>(schema.shape).flatMap((part) => {
        const meta = part.meta() as SettingMeta | undefined;
        return meta?.env === undefined ? [] : [[meta.env, meta] as const];
      }),
    );
    const env: { [name: string]: string } = {};
    for (const [key, value] of Object.entries(service.environment ?? {})) {
      env[key] = filledIn(value);
      const isFile = key.endsWith("_FILE");
      const meta = metas.get(isFile ? key.slice(0, -"_FILE".length) : key);
      // A secret comes as a file, and nothing else does.
      expect([key, meta?.secret === true]).toEqual([key, isFile]);
      expect([key, meta]).not.toEqual([key, undefined]);
    }
    const readSecret = (path: string): string => {
      const secret = path.replace("/run/secrets/", "");
      expect(service.secrets).toContain(secret);
      expect(file.secrets?.[secret]?.file).toMatch(/^\.\/secrets\//);
      return secret === "database_url" ? "postgres://troupe:x@postgres/troupe" : "x".repeat(48);
    };
    const { value } = loadConfig(schema, { env, readSecret });
    // Others reach it, so it asks who they are.
    expect(value).toMatchObject({ host: "0.0.0.0", auth: "on" });
  });

  it.each(own(file))("%s calls services that there are, by the ports they have", (_own, { environment }) => {
    const restate = ["8080", "9070"];
    for (const [key, value] of Object.entries(environment ?? {})) {
      for (const [, host = "", port = ""] of value.matchAll(/http:\/\/([a-z][\w-]*):(\d+)/g)) {
        const called = file.services[host];
        const ports = host.startsWith("restate")
          ? restate
          : [called?.environment?.["TROUPE_PORT"], called?.environment?.["TROUPE_RESTATE_PORT"]];
        expect([key, host, called === undefined]).toEqual([key, host, false]);
        expect(ports).toContain(port);
      }
    }
  });

  it.each(own(file))("%s is looked after by its own /readyz", (_own, { healthcheck, environment }) => {
    const port = environment?.["TROUPE_PORT"] ?? "";
    expect(healthcheck?.test.at(-1)).toBe(`http://127.0.0.1:${port}/readyz`);
  });

  it("pins every image, publishes to this machine alone, and shows no secret", () => {
    for (const [name, { image = "", ports = [], environment = {}, secrets = [] }] of Object.entries(
      file.services,
    )) {
      expect([name, image]).toEqual([name, expect.stringMatching(/:\d+\.\d+(\.\d+)?(-[\w.-]+)?$/)]);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      for (const secret of secrets) expect(file.secrets).toHaveProperty(secret);
      const secret = Object.entries(environment).filter(([key]) => /PASSWORD|SECRET|TOKEN/.test(key));
      for (const [key, value] of secret) {
        expect(key).toMatch(/_FILE$/);
        expect(value).toMatch(/^\/run\/secrets\//);
      }
    }
    const published = Object.entries(file.services).filter(([, { ports = [] }]) => ports.length > 0);
    expect(published.map(([name]) => name)).toEqual(["balancer"]);
  });

  it("keeps what has to last in volumes of its own", () => {
    const mounts = Object.values(file.services).flatMap(({ volumes = [] }) => volumes);
    const named = mounts.map((mount) => mount.split(":")[0] ?? "").filter((name) => !name.startsWith("."));
    expect(new Set(named)).toEqual(new Set(Object.keys(file.volumes ?? {})));
  });
});

describe("the cluster", () => {
  const { services } = over(one, cluster);
  const nodes = Object.keys(services).filter((name) => name.startsWith("restate-"));

  it("has three nodes of Restate that know each other, of which one makes the cluster", () => {
    expect(nodes).toEqual(["restate-1", "restate-2", "restate-3"]);
    const environments = nodes.map((name) => services[name]?.environment ?? {});
    const members = JSON.stringify(nodes.map((name) => `http://${name}:5122`));
    for (const [i, environment] of environments.entries())
      expect(environment).toMatchObject({
        RESTATE_NODE_NAME: nodes[i],
        RESTATE_ADVERTISED_ADDRESS: `http://${nodes[i]}:5122`,
        RESTATE_METADATA_CLIENT__ADDRESSES: members,
        RESTATE_CLUSTER_NAME: "troupe",
      });
    expect(environments.map((environment) => environment["RESTATE_AUTO_PROVISION"])).toEqual([
      "true",
      "false",
      "false",
    ]);
    expect(new Set(nodes.flatMap((name) => services[name]?.volumes?.[0])).size).toBe(3);
  });

  it("has orchestrators that know every node", () => {
    const { environment = {}, deploy } = services["orchestrator"] ?? {};
    for (const [key, port] of [
      ["TROUPE_RESTATE_INGRESS", 8080],
      ["TROUPE_RESTATE_ADMIN", 9070],
    ] as const)
      expect(JSON.parse(environment[key] ?? "")).toEqual(nodes.map((name) => `http://${name}:${port}`));
    expect(deploy?.replicas).toBeGreaterThan(1);
  });
});

it("the Dockerfile has the versions the repository is built with, and ends as nobody in particular", () => {
  const lines = readPage("deploy/Dockerfile").split("\n");
  const args = new Map(
    lines.flatMap((line) => [...line.matchAll(/^ARG (\w+)=(.+)$/g)].map(([, k, v]) => [k, v])),
  );
  const run = readPage("scripts/run.mjs");
  expect(run).toContain(`const NODE = "${args.get("NODE")}"`);
  expect(run).toContain(`const PNPM = "${args.get("PNPM")}"`);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  expect(last.filter((line) => line.startsWith("USER "))).toEqual(["USER node"]);
  for (const [, file = ""] of last.join("\n").matchAll(/^COPY (deploy\/\S+)/gm))
    expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true);
});

it("what is secret is in no image", () => {
  expect(readPage(".dockerignore").split("\n")).toEqual(
    expect.arrayContaining(["deploy/secrets", ".git", "**/.troupe"]),
  );
  expect(readPage("deploy/.gitignore").split("\n")).toEqual(expect.arrayContaining(["secrets/", ".env"]));
});

const script = (name: string): string => new URL(`../../deploy/${name}`, import.meta.url).pathname;

it("the public key of a Restate server is its bytes in base58", () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-identity-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "key.pem");
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  const said = execFileSync(process.execPath, [script("identity-key.mjs"), file], {
    encoding: "utf8",
  }).trim();
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const number = Array.from(said.replace("publickeyv1_", "")).reduce(
    (sum, c) => sum * 58n + BigInt(alphabet.indexOf(c)),
    0n,
  );
  const bytes = Buffer.from(number.toString(16).padStart(64, "0"), "hex");
  expect(bytes.toString("base64url")).toBe(publicKey.export({ format: "jwk" }).x);
  writeFileSync(file, generateKeyPairSync("x25519").privateKey.export({ type: "pkcs8", format: "pem" }));
  expect(spawnSync(process.execPath, [script("identity-key.mjs"), file]).status).toBe(1);
});

it("healthcheck.mjs says by its exit what an address answers", () => {
  expect(spawnSync(process.execPath, [script("healthcheck.mjs"), "http://127.0.0.1:9/readyz"]).status).toBe(
    1,
  );
  expect(readFileSync(script("healthcheck.mjs"), "utf8")).toContain("AbortSignal.timeout");
});
