export { ragMcp, settings, start } from "./start.ts";
