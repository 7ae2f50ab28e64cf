/** The operators' API: the same operations as the command line, on its own port and behind its own token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Express, type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { ApiError } from '../errors';
import { admit } from '../middleware/admit';
import { bearerOf } from '../middleware/bearer';
import { readBody } from '../middleware/body';
import { connection } from '../middleware/connection';
import { declaredBytes } from '../middleware/declared-bytes';
import { errors, lastResort, methodNotAllowed, notFound, showOperatorErrors } from '../middleware/errors';
import { checkHeaders } from '../middleware/headers';
import { internalOnly } from '../middleware/internal-only';
import { operation as nameOperation, observe } from '../middleware/observe';
import { requestId } from '../middleware/request-id';
import type { Metrics } from '../observability/metrics';
import type { Admission } from '../services/limits/admission';
import { inputOf, maxBytesOf } from './http-input';
import { checkerOf } from './input';
import { mailboxPage } from './mailbox-page';
import type { AdminServices, Operation } from './operation';
import { perform } from './perform';
import { isTextStream, writeLines } from './text-stream';

export interface AdminAppServices {
  readonly admin: AdminServices;
  readonly token: string;
  /** Names of the port, besides localhost. Default: none. */
  readonly hostNames?: ReadonlySet<string>;
  readonly admission: Admission;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly draining: () => boolean;
}

/** How long the reader of a streamed response may pause. */
const unreadMs = 60_000;

export function createAdminApp(operations: readonly Operation[], services: AdminAppServices): Express {
  const app = express();
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(
    requestId(),
    showOperatorErrors('sentence'),
    observe({ logger: services.logger, metrics: services.metrics }),
    connection(services.draining),
    helmet(),
    checkHeaders(),
    internalOnly(services.hostNames ?? new Set()),
  );
  app.get('/mailbox', mailboxPage());
  app.use(requireToken(services.token));
  for (const path of new Set(operations.map(({ http }) => http[1]))) {
    const atPath = operations.filter(({ http }) => http[1] === path);
    const route = app.route(path);
    for (const operation of atPath) {
      const method = operation.http[0].toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
      route[method](...handlersOf(operation, services));
    }
    route.all(methodNotAllowed(atPath.map(({ http: [method] }) => method)));
  }
  app.use(notFound());
  app.use(errors(services.logger), lastResort());
  return app;
}

/** Compares hashes of equal length, so that the time reveals nothing about the token. */
function requireToken(token: string): RequestHandler {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (req, res, next) => {
    if (!timingSafeEqual(digest(bearerOf(req)), expected)) {
      res.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('INVALID_API_KEY');
    }
    next();
  };
}

function handlersOf(operation: Operation, { admin, admission }: AdminAppServices): RequestHandler[] {
  const maxBytes = maxBytesOf(operation);
  const check = checkerOf(operation.input);
  return [
    nameOperation(`admin ${operation.id}`),
    admit(admission, maxBytes),
    optionalBody(maxBytes),
    async (req, res) => {
      const { requestId } = res.locals;
      const { images, ...given } = inputOf(operation, req);
      const input = check(given.input);
      const asked = { requestId, actor: actorOf(req), party: 'operator' as const, images };
      const data = await perform(operation, admin, input, asked);
      if (isTextStream(data)) {
        res.set('Content-Type', data.mediaType);
        res.setTimeout(unreadMs, () => res.destroy());
        await writeLines(data, res);
        res.end();
        return;
      }
      res.json({ success: true, data, requestId });
    },
  ];
}

/** A body is optional, because the path says enough for many operations. */
function optionalBody(maxBytes: number): RequestHandler {
  const read = readBody({ maxBytes, forms: 'json' });
  return (req, res, next) => {
    if (declaredBytes(req, 1) > 0) return read(req, res, next);
    req.body = {};
    next();
  };
}

const wellFormedActor = /^[\w.@:+-]{1,64}$/;

/** All operators share one token. With this header, the audit log contains their names. */
function actorOf(req: Request): string {
  const given = req.get('x-admin-actor');
  if (given === undefined) return 'api';
  if (wellFormedActor.test(given)) return `api:${given}`;
  const values = { field: 'X-Admin-Actor', expected: '1 to 64 letters, digits and _ . @ : + -' };
  throw new ApiError('INVALID_PARAMETERS', { reason: 'header', values });
}
