/** The command cannot run as it was typed: exit code 2. The message is a sentence that names the remedy. */
export class UsageError extends Error {}
