/** The command that opens a log, as a shell takes it. */

/** In quotes where a character could mean something else: paths come from logs. */
export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) && !path.startsWith("-") ? path : `'${path.replaceAll("'", "'\\''")}'`;

export const openCommand = (path: string): string => `diya open ${path.startsWith("-") ? "-- " : ""}${quoted(path)}`;
