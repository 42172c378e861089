export { agentSettings, type AgentSettings } from "./agent-settings.ts";
export { startAgent, type AdaptOptions, type AgentDefinition, type ReviewSentences } from "./start-agent.ts";
