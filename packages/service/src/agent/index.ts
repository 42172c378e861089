export { agentSettings, type AgentSettings } from "./agent-settings.ts";
export { startAgent, type AgentDefinition } from "./start-agent.ts";
