/** GET and DELETE of /liveness/{sessionId}. */
import type { RequestHandler, Router } from 'express';
import type { Principal } from '../../services/keys/keys';
import type { Session } from '../../services/liveness/session/session';
import { sessionGone } from '../../services/liveness/session/session-errors';
import { addressOf } from '../../services/liveness/session/session-store';
import type { LivenessSessions } from '../../services/liveness/session/sessions';
import { accountView, publicView } from '../../services/liveness/session/views';
import type { Policy } from '../guards';
import { mount } from '../route';
import type { SessionCallServices } from './session-call';

const withKey = { product: 'livenessVerification', counted: true } as const;
const getPolicy: Policy = { ...withKey, operation: 'getLivenessSession', caller: 'either' };
const deletePolicy: Policy = { ...withKey, operation: 'deleteLivenessSession', caller: 'key' };

export function sessionRoute(api: Router, services: SessionCallServices): void {
  mount(
    api,
    '/liveness/:sessionId',
    [
      { method: 'get', policy: getPolicy, handle: show(services) },
      { method: 'delete', policy: deletePolicy, handle: erase(services) },
    ],
    services,
  );
}

const show =
  (services: SessionCallServices): RequestHandler =>
  async (req, res) => {
    const { session: address, principal, requestId } = res.locals;
    const { sessions } = services.liveness;
    const data = address
      ? publicView(await sessions.find(address))
      : accountView(await ownSession(sessions, req.params, principal as Principal));
    res.json({ success: true, data, requestId });
  };

const erase =
  (services: SessionCallServices): RequestHandler =>
  async (req, res) => {
    const { principal, requestId } = res.locals;
    const { sessions } = services.liveness;
    const address = addressOf(await ownSession(sessions, req.params, principal as Principal));
    await sessions.erase(address);
    res.json({ success: true, data: { sessionId: address.sessionId, deleted: true }, requestId });
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
