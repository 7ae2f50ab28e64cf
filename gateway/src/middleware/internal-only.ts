import { foreignRequest } from '@presenza/contract/internal-port.cjs';
import type { RequestHandler } from 'express';
import { OperatorError } from '../errors';

/**
 * Lets only processes and operators of the deployment use a port, and no web page.
 * @param names that `Host` may contain, besides addresses and localhost
 * @throws OperatorError PERMISSION_DENIED
 */
export function internalOnly(names: ReadonlySet<string>): RequestHandler {
  return (req, _res, next) => {
    const problem = foreignRequest(req, names);
    if (problem !== undefined)
      throw new OperatorError(`${problem}: see GATEWAY_HOST_NAMES`, 'PERMISSION_DENIED');
    next();
  };
}
