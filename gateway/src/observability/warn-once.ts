import type { Logger } from 'pino';
import { describe } from '../errors/explain';

/** Warns of the first failure after a success and logs the following ones at the debug level. */
export function warnOnce(logger: Pick<Logger, 'warn' | 'debug'>, message: string) {
  let warned = false;
  return {
    failed: (error: Error) => {
      logger[warned ? 'debug' : 'warn']({ err: describe(error) }, message);
      warned = true;
    },
    recovered: () => {
      warned = false;
    },
  };
}
