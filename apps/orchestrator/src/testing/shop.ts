import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { runTroupe, startTroupe, temporaryFolder, type Troupe } from "./troupe.ts";

/** Servers that are up, with a collection "shop" of a few sales. */
export interface Shop {
  readonly folder: string;
  readonly home: string;
  readonly options: { readonly home: string };
  /** A command whose run asks a person first. */
  readonly askFirst: readonly string[];
  readonly up: Troupe;
  /** Of the orchestrator. */
  readonly url: string;
}

const SALES = `region,product,revenue
North,Probe,100
North,Buoy,140
South,Probe,90
South,Buoy,70
`;

const ASK_FIRST = `version: 1
name: Ask first
mode: parallel
steps:
  - id: audience
    kind: human
    instruction: Who is it for?
    form:
      title: Before the work starts
      fields:
        - { field_name: audience, field_label: Who is it for?, field_type: select, field_values: [Board, Staff] }
  - { id: figures, agent: data-agent, instruction: Show revenue by region., depends_on: [audience] }
`;

/** `cleanUp` ends and removes it. */
export async function startShop(): Promise<Shop> {
  const folder = temporaryFolder();
  const options = { home: join(folder, "home") };
  const sales = join(folder, "sales.csv");
  const workflow = join(folder, "ask.yaml");
  writeFileSync(sales, SALES);
  writeFileSync(workflow, ASK_FIRST);
  const up = startTroupe(["up", "--free-ports"], options);
  const [ingested, ready] = await Promise.all([
    runTroupe(["ingest", sales, "--collection", "shop"], options),
    up.waitFor("stdout", /^ready (http:\S+) .*\n/),
  ]);
  if (!ingested.stdout.includes("4 rows")) throw new Error(ingested.stderr);
  const askFirst = ["run", "--workflow", workflow, "--collection", "shop"];
  return { folder, home: options.home, options, askFirst, up, url: ready[1] ?? "" };
}
