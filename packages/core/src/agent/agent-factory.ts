import { parseAgentConfig, type AgentConfig, type AgentConfigInput } from "../config/agent-config.ts";
import { AgentError } from "../errors/agent-error.ts";
import { suggestNames } from "../text/nearest-names.ts";
import type { Agent } from "./create-agent.ts";

/** Makes an agent of one type: brings its tools and its model to the configuration. */
export type AgentBuilder = (config: AgentConfig) => Agent | Promise<Agent>;

/** Which types of agent there are, and how each is made. */
export class AgentFactory {
  readonly #builders = new Map<string, AgentBuilder>();

  /** Throws an `AgentError` (`agent.config`) when the type is taken. */
  register(type: string, builder: AgentBuilder): this {
    if (this.#builders.has(type)) {
      throw new AgentError("agent.config", `Agent type "${type}" is registered already.`);
    }
    this.#builders.set(type, builder);
    return this;
  }

  types(): readonly string[] {
    return [...this.#builders.keys()];
  }

  /** Throws an `AgentError`: `agent.config` for a bad configuration, `agent.unknown` for its type. */
  async create(input: AgentConfigInput): Promise<Agent> {
    const config = parseAgentConfig(input);
    const builder = this.#builders.get(config.agent_type);
    if (builder === undefined) {
      throw new AgentError(
        "agent.unknown",
        `There is no agent type "${config.agent_type}".${suggestNames(config.agent_type, this.types())}`,
      );
    }
    return builder(config);
  }
}
