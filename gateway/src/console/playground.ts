/**
 * The playground: signed-in members run analyses and create liveness sessions as their account. The routes are those of
 * the public API, so that validation, limits, billing and responses are the same.
 */
import { type RequestHandler, Router } from 'express';
import { ConsoleError } from '../errors';
import { chooseVersion } from '../middleware/api-version';
import { chain } from '../middleware/chain';
import { timed } from '../middleware/server-timing';
import type { AnalysisRouteServices } from '../routes/analysis-route';
import { compareRoute } from '../routes/compare';
import { detectRoute } from '../routes/detect';
import { creationRoute } from '../routes/liveness';
import { moderateRoute } from '../routes/moderate';
import type { SignedIn } from '../services/identity/sign-ins';
import { type KeyService, principalOf } from '../services/keys/keys';
import { permission } from '../services/keys/permissions';
import type { Role } from '../services/rights/roles';

export type PlaygroundServices = Omit<AnalysisRouteServices, 'authenticated'>;

export const playgroundPath = '/accounts/:account/playground/:mode';
export const playgroundRoles: readonly Role[] = ['owner', 'developer'];

/** By the name of the operation, which is also its path below the playground's. */
export const playgroundRoutes = {
  detect: detectRoute,
  compare: compareRoute,
  moderate: moderateRoute,
  liveness: creationRoute,
};

/** The id of a key that ledgers and logs have for the playground. */
export const playgroundKeyId = 'console';

/** @param member refuses everybody but members of the account in the path with one of the roles */
export function playground(
  services: PlaygroundServices,
  keys: Pick<KeyService, 'findAccount'>,
  member: RequestHandler,
): Router {
  const router = Router({ mergeParams: true });
  const routeServices = { ...services, authenticated: timed('auth', chain(member, asAccount(keys))) };
  for (const route of Object.values(playgroundRoutes)) route(router, routeServices);
  return router;
}

/** @throws ConsoleError NOT_FOUND for another mode, ApiError PERMISSION_DENIED for a suspended account */
function asAccount(keys: Pick<KeyService, 'findAccount'>): RequestHandler {
  return async (req, res, next) => {
    const { account, mode } = req.params;
    if (mode !== 'live' && mode !== 'test') throw new ConsoleError('NOT_FOUND');
    const { user } = res.locals.signedIn as SignedIn;
    const key = { id: playgroundKeyId, mode, createdBy: user.id } as const;
    const principal = principalOf(await keys.findAccount(String(account)), key);
    res.locals.principal = principal;
    chooseVersion(req, res, principal);
    const denial = permission(principal, {});
    if (denial) throw denial;
    next();
  };
}
