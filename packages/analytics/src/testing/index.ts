export { dataSourceContract } from "./data-source-contract.ts";
