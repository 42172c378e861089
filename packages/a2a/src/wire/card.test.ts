import { AgentCard } from "@a2a-js/sdk";
import type { AgentProfile } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { checkShape } from "../conformance/shapes/check-shape.ts";
import { cardOf, profileOf } from "./card.ts";

const profile: AgentProfile = {
  name: "river-agent",
  title: "River agent",
  description: "Knows the level of the river.",
  version: "1.0.0",
  skills: [],
};
const skill = { id: "level", name: "Level", description: "Tells the level.", tags: ["river"], examples: [] };

describe("the card of an agent", () => {
  it.each<readonly [string, AgentProfile]>([
    ["names no skill", profile],
    ["has no words for itself", { ...profile, title: "", description: "" }],
    ["has a skill without words", { ...profile, skills: [{ ...skill, description: "", tags: [] }] }],
  ])("that %s has all that the protocol wants", (_what, given) => {
    const card = AgentCard.toJSON(cardOf(given, "http://127.0.0.1:1"));
    expect(checkShape("AgentCard", card)).toEqual([]);
  });

  it("offers the agent itself where it names no skill", () => {
    expect(cardOf(profile, "http://127.0.0.1:1").skills).toMatchObject([
      {
        id: "river-agent",
        name: "River agent",
        description: "Knows the level of the river.",
        tags: ["river-agent"],
      },
    ]);
  });

  it("says that it takes images where it has a store for them", () => {
    const modes = (files: boolean) => cardOf(profile, "http://127.0.0.1:1", { files }).defaultInputModes;
    expect(modes(true)).toContain("image/webp");
    expect(modes(false)).toEqual(["text/plain", "application/json"]);
  });

  it("names MCP servers and metadata of its configuration, and no addresses", () => {
    const params = (given: AgentProfile): unknown =>
      cardOf(given, "http://127.0.0.1:1").capabilities?.extensions.find(({ uri }) => uri.includes("config"))
        ?.params;
    expect(params({ ...profile, mcpServers: ["rivers"], metadata: { team: "water" } })).toEqual({
      mcp_servers: [{ name: "rivers" }],
      metadata: { team: "water" },
    });
    expect(params(profile)).toBeUndefined();
  });

  it("is read back as the profile it was made of", () => {
    for (const given of [profile, { ...profile, skills: [skill] }])
      expect(profileOf(cardOf(given, "http://127.0.0.1:1"))).toEqual(given);
  });
});
