export { dataMcp, settings, start } from "./start.ts";
