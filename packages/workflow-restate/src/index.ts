export { openRestateEngine, type RestateEngineOptions } from "./open-restate-engine.ts";
