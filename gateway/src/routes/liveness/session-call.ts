/** What the calls share that the access token of a session opens. */
import type { Request, RequestHandler, Response, Router } from 'express';
import { admit, shareOut, untilDone } from '../../middleware/admit';
import { type BodyOptions, readBody } from '../../middleware/body';
import { deadline } from '../../middleware/deadline';
import { methodNotAllowed } from '../../middleware/errors';
import { inTurn } from '../../middleware/in-turn';
import { operation } from '../../middleware/observe';
import { sessionCors } from '../../middleware/session-cors';
import { authenticateSession } from '../../middleware/session-token';
import { validateBody } from '../../middleware/validate';
import type { Admission } from '../../services/limits/admission';
import type { Liveness } from '../../services/liveness/liveness';
import type { SessionAddress } from '../../services/liveness/session/session-store';

export interface SessionCallServices {
  readonly admission: Admission;
  readonly liveness: Liveness;
  readonly deadlineMs: number;
}

export interface SessionCall {
  readonly path: string;
  /** For logs and metrics. */
  readonly name: string;
  /** From the API description. */
  readonly maxBodyBytes: number;
  /** Reads the body and checks it; by default JSON of this schema, or none. */
  readonly body: { readonly schema: string } | { readonly read: RequestHandler };
  /** @returns the `data` of the answer. */
  run(session: SessionAddress, req: Request, res: Response): Promise<object>;
}

/** POST of one call about a session. */
export function sessionCall(
  api: Router,
  { path, name, maxBodyBytes, body, run }: SessionCall,
  services: SessionCallServices,
): void {
  const { admission, deadlineMs } = services;
  api
    .route(path)
    .all(operation(name), corsOf(services, 'POST'))
    .post(
      inTurn(
        admit(admission, maxBodyBytes),
        authenticateSession(() => services.liveness),
        shareOut(maxBodyBytes),
        'read' in body ? body.read : readBody(emptyOrJson(maxBodyBytes)),
        deadline(deadlineMs),
        'read' in body ? pass : validateBody(body.schema),
        untilDone(async (req, res) => {
          const data = await run(res.locals.session as SessionAddress, req, res);
          res.json({ success: true, data, requestId: res.locals.requestId });
        }),
      ),
    )
    .all(methodNotAllowed('POST'));
}

/** Asked for at the first request, not when the route is mounted. */
export const corsOf =
  (services: Pick<SessionCallServices, 'liveness'>, methods: string): RequestHandler =>
  (req, res, next) =>
    sessionCors(services.liveness.origins, methods)(req, res, next);

const emptyOrJson = (maxBytes: number): BodyOptions => ({ maxBytes, forms: 'json', optional: true });

const pass: RequestHandler = (_req, _res, next) => next();
