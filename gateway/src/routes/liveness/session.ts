/** GET and DELETE of /liveness/{sessionId}. */
import type { RequestHandler, Router } from 'express';
import { authorize } from '../../middleware/authorize';
import { methodNotAllowed } from '../../middleware/errors';
import { inTurn } from '../../middleware/in-turn';
import { rateOf, refuseEarly } from '../../middleware/rate';
import { authenticateEither } from '../../middleware/session-token';
import type { Principal } from '../../services/keys/keys';
import type { Session } from '../../services/liveness/session/session';
import { sessionGone } from '../../services/liveness/session/session-errors';
import { addressOf } from '../../services/liveness/session/session-store';
import type { LivenessSessions } from '../../services/liveness/session/sessions';
import { accountView, publicView } from '../../services/liveness/session/views';
import type { Metering } from '../../services/metering/metering';
import { corsOf, type SessionCallServices } from './session-call';

export interface SessionRouteServices extends SessionCallServices {
  readonly authenticated: RequestHandler;
  readonly metering: Metering;
}

/** Names the operation by what is done with the session. */
const named: RequestHandler = (req, res, next) => {
  res.locals.operation = req.method === 'DELETE' ? 'deleteLivenessSession' : 'getLivenessSession';
  next();
};

export function sessionRoute(api: Router, services: SessionRouteServices): void {
  const { authenticated, metering } = services;
  const withKey = inTurn(
    authenticated,
    authorize('livenessVerification'),
    refuseEarly(metering),
    count(metering),
  );
  api
    .route('/liveness/:sessionId')
    .all(named, corsOf(services, 'GET'))
    .get(
      authenticateEither(() => services.liveness, withKey),
      async (req, res) => {
        const { session: address, principal, requestId } = res.locals;
        const { sessions } = services.liveness;
        const data = address
          ? publicView(await sessions.find(address))
          : accountView(await ownSession(sessions, req.params, principal as Principal));
        res.json({ success: true, data, requestId });
      },
    )
    .delete(withKey, async (req, res) => {
      const { principal, requestId } = res.locals;
      const { sessions } = services.liveness;
      const address = addressOf(await ownSession(sessions, req.params, principal as Principal));
      await sessions.erase(address);
      res.json({ success: true, data: { sessionId: address.sessionId, deleted: true }, requestId });
    })
    .all(methodNotAllowed('GET, HEAD, DELETE'));
}

const count =
  (metering: Metering): RequestHandler =>
  async (_req, res, next) => {
    await metering.count(res.locals.principal as Principal, 1, rateOf(res));
    next();
  };

/** Of the caller's own account and mode, whatever id is asked for. @throws AppError NOT_FOUND */
async function ownSession(
  sessions: Pick<LivenessSessions, 'find'>,
  { sessionId = '' }: Readonly<Record<string, string | string[]>>,
  { accountId, mode }: Principal,
): Promise<Session> {
  const session = await sessions.find({ accountId, sessionId: String(sessionId) });
  if (session.mode !== mode) throw sessionGone();
  return session;
}
