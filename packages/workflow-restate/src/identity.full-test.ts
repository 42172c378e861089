import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@troupe/core";
import { createDagDriver, normalizeWorkflow, workflowSchema } from "@troupe/workflow";
import { memoryEventLog, scriptedGateway } from "@troupe/workflow/testing";
import { expect, it, onTestFinished } from "vitest";

import { openRestateEngine } from "./open-restate-engine.ts";
import { startRestate } from "./testing/index.ts";

const spec = normalizeWorkflow(
  workflowSchema.parse({ version: 1, name: "one", steps: [{ agent: "a", instruction: "do a" }] }),
);

const PRIVATE_KEY = "RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE";

async function keys() {
  const folder = await mkdtemp(join(tmpdir(), "troupe-identity-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const file = join(folder, "identity.pem");
  await writeFile(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return { file, publicKey: `publickeyv1_${base58(publicKey)}` };
}

/** The 32 bytes of an Ed25519 key as Restate writes them. */
function base58(key: KeyObject): string {
  const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  let number = BigInt(`0x${Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url").toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = `${letters[Number(number % 58n)]}${text}`;
  return text;
}

it("runs for a Restate server that signs with the key it knows, and not for another", async () => {
  const [known, other] = [await keys(), await keys()];
  const server = await startRestate({ settings: { [PRIVATE_KEY]: known.file } });
  onTestFinished(() => server.stop());
  const open = async (identityKeys: readonly string[], service: string) => {
    const events = memoryEventLog();
    const gateway = scriptedGateway(() => ({}), systemClock);
    const engine = await openRestateEngine({
      ...server,
      events,
      identityKeys,
      service,
      port: 0,
      patienceMs: 5_000,
    });
    onTestFinished(() => engine.close());
    return { engine, driver: createDagDriver({ gateway, eventLog: events }) };
  };
  const { engine, driver } = await open([other.publicKey, known.publicKey], "known");
  await engine.register(driver);
  await engine.start(spec, { objective: "o" }, { runId: "r" });
  expect(await engine.result("r")).toMatchObject({ outcome: "completed", response: { content: "do a" } });

  const stranger = await open([other.publicKey], "stranger");
  await expect(stranger.engine.register(stranger.driver)).rejects.toMatchObject({ code: "process.start" });
});
