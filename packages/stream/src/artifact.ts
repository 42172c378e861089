/** A file by reference. Bytes never travel inside events, prompts or journals. */
export interface ArtifactRef {
  readonly id: string;
  /** File name with extension, no path. */
  readonly name: string;
  /** IANA media type, such as `application/vnd.openxmlformats-officedocument.presentationml.presentation`. */
  readonly mediaType: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Where the bytes can be fetched. */
  readonly url: string;
}
