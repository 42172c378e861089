export { ARTIFACT_SCHEME, artifactUri, parseArtifactUri } from "./wire/artifact-uri.ts";
