export { pptMcp, settings, start } from "./start.ts";
