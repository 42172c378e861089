export { dataSourceContract } from "./data-source-contract.ts";
export { makeResult } from "./make-result.ts";
