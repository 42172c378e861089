export { answered, ask } from "./playbook-request.ts";
