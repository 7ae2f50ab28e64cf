import brand from '@presenza/contract/brand.json';
import catalogue from '@presenza/contract/errors.json';
import type { Request, Response } from 'express';
import { AppError } from '../errors';
import { lifetimeOfVersion, versionDates, versionOfAccount } from '../services/contract/versions';
import type { Principal } from '../services/keys/keys';
import { announceDeprecation } from './deprecation';

const field = brand.versionHeader;

/**
 * Chooses the API version of a request: that of its header, or else of the account. The response states it, and its end if it is deprecated.
 * @throws AppError INVALID_PARAMETERS if the header names no version
 */
export function chooseVersion(req: Request, res: Response, principal: Principal): void {
  const given = req.get(field);
  const isKnown = given !== undefined && versionDates.includes(given);
  const version = isKnown ? given : versionOfAccount(principal);
  res.locals.apiVersion = version;
  res.set(field, version);
  announceDeprecation(res, lifetimeOfVersion(version));
  if (isKnown || given === undefined) return;
  const expected = catalogue.INVALID_PARAMETERS.expectations.enum.replace(
    '{values}',
    versionDates.join(', '),
  );
  throw new AppError('INVALID_PARAMETERS', { reason: 'header', values: { field, expected } });
}
