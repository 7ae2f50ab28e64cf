/** Operations about one session, which its access token authorizes. */
import type { Request, Response } from 'express';
import type { SessionAddress } from '../services/liveness/session/session-store';
import { type BodyPath, type BodyPolicy, maxBytesOf } from './guards';
import type { Operation } from './route';

type Run = (session: SessionAddress, req: Request, res: Response) => Promise<object>;

/** @param run resolves to the `data` of the response. */
export const sessionOperation = (operation: string, body: BodyPolicy, run: Run): Operation => ({
  method: 'post',
  policy: { operation, caller: 'session', body },
  handle: async (req, res) => {
    const data = await run(res.locals.session as SessionAddress, req, res);
    res.json({ success: true, data, requestId: res.locals.requestId });
  },
});

/** An optional JSON body. */
export const jsonBody = (path: BodyPath, schema: string): BodyPolicy => ({
  maxBytes: maxBytesOf(path),
  forms: 'json',
  optional: true,
  schema,
});
