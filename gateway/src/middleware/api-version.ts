import brand from '@presenza/contract/brand.json';
import catalogue from '@presenza/contract/errors.json';
import type { Request, Response } from 'express';
import { ApiError } from '../errors';
import { lifetimeOfVersion, versionDates, versionOfAccount } from '../services/contract/versions';
import type { Principal } from '../services/keys/keys';
import { announceDeprecation } from './deprecation';

const field = brand.versionHeader;

/**
 * Chooses the API version of a request: that of its header, or else of the account. The response states it, and its end if it is deprecated.
 * @param account an empty object for calls with an access token, which have the oldest version unless they name another: pages
 *   and apps in use do not change with the account
 * @throws ApiError INVALID_PARAMETERS if the header names no version
 */
export function chooseVersion(req: Request, res: Response, account: Pick<Principal, 'apiVersion'>): void {
  const given = req.get(field);
  const isKnown = given !== undefined && versionDates.includes(given);
  const version = isKnown ? given : versionOfAccount(account);
  res.locals.apiVersion = version;
  res.set(field, version);
  announceDeprecation(res, lifetimeOfVersion(version));
  if (isKnown || given === undefined) return;
  const expected = catalogue.INVALID_PARAMETERS.expectations.enum.replace(
    '{values}',
    versionDates.join(', '),
  );
  throw new ApiError('INVALID_PARAMETERS', { reason: 'header', values: { field, expected } });
}
