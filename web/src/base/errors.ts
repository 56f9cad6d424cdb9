/** An answer that cannot be given, with the way out, in words for the user. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}
