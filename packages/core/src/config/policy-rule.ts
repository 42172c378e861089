import { z } from "zod";

const patterns = z.union([z.string(), z.array(z.string()).min(1)]);

/** One rule about tool calls. Patterns are whole values in which `*` stands for any characters. */
export const policyRuleSchema = z.strictObject({
  /** For messages; its place in the list when absent. */
  name: z.string().min(1).exactOptional(),
  effect: z.enum(["allow", "deny"]),
  /** Pattern of tool names. */
  tool: z.string().min(1).default("*"),
  /** Dotted path of an argument (`*` for any key) to the patterns of its value, any of which will do. */
  arguments: z.record(z.string().min(1), patterns).exactOptional(),
});
export type PolicyRule = z.output<typeof policyRuleSchema>;
