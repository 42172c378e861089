export { contextCompaction, type CompactionOptions } from "./context-compaction.ts";
export { fileArguments } from "./file-arguments.ts";
export { policy } from "./policy.ts";
export { skills, type Skill } from "./skills.ts";
export { toolCallRepair } from "./tool-call-repair.ts";
export { workflowCatalogue, type ListWorkflows, type OfferedWorkflow } from "./workflow-catalogue.ts";
