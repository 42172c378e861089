export { unitsAgent } from "./agent.ts";
export { settings, start } from "./start.ts";
