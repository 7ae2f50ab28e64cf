/** Errors for the log and for operators. */
import { RequestError } from '.';

/**
 * An error for the log: names, messages and stacks of the error and its causes. Other properties could hold a body,
 * and ids in messages are shortened to their prefix.
 */
export function describe(error: Error): unknown {
  return {
    name: error.name,
    message: withoutIds(error.message),
    stack: error.stack && withoutIds(error.stack),
    ...(error.cause instanceof Error ? { cause: describe(error.cause) } : {}),
  };
}

/** Replaces ids of accounts, keys, sessions and attempts by their prefix. */
const withoutIds = (text: string) => text.replace(/\b(acc|key|ses|att)_\w+/g, '$1_*');

/** An error for operators: what failed and, if known, why. Messages of Redis contain no key and no password. */
export function explain(error: Error): string {
  const text = error instanceof RequestError ? error.sentence : error.message;
  const { cause } = error;
  if (!(cause instanceof Error)) return text;
  // The cluster client keeps the error of the last node that it tried.
  const { lastNodeError } = cause as { lastNodeError?: Error };
  return `${text} (${(lastNodeError ?? cause).message})`;
}
