/** Names from a request are quoted in errors up to this length. */
const longest = 64;

/** The name of an unknown field or parameter, as errors quote it. A name may be empty. */
export const quoted = (name: string): string => name.slice(0, longest) || '""';
