export { sampleChart, sampleCitation, sampleDeck } from "./samples.ts";
