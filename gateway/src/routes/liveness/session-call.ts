/** What the calls share that the access token of a session opens. */
import type { Request, Response, Router } from 'express';
import type { SessionAddress } from '../../services/liveness/session/session-store';
import type { BodyPolicy, GuardServices } from '../guards';
import { mount } from '../route';

export type SessionCallServices = GuardServices;

export interface SessionCall {
  readonly path: string;
  /** For logs and metrics. */
  readonly name: string;
  readonly body: BodyPolicy;
  /** @returns the `data` of the response. */
  run(session: SessionAddress, req: Request, res: Response): Promise<object>;
}

/** Mounts the POST of one call about a session. */
export function sessionCall(
  api: Router,
  { path, name, body, run }: SessionCall,
  services: SessionCallServices,
): void {
  const policy = { operation: name, caller: 'session', body } as const;
  const handle = async (req: Request, res: Response) => {
    const data = await run(res.locals.session as SessionAddress, req, res);
    res.json({ success: true, data, requestId: res.locals.requestId });
  };
  mount(api, path, [{ method: 'post', policy, handle }], services);
}

/** A JSON body that may be missing. */
export const optionalJson = (maxBytes: number, schema: string): BodyPolicy => ({
  maxBytes,
  forms: 'json',
  optional: true,
  schema,
});
