import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Classes of requests and responses whose prototypes are those of an Express app. Express sets the prototype of every
 * message that it handles; on classes of Node's own, that gives each object a hidden class of its own, which V8 neither
 * optimizes for nor collects early. The gateway does the same.
 * @returns options for `createServer`.
 */
export function messageClasses(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class TierRequest extends IncomingMessage {}
  class TierResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(TierRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(TierResponse.prototype, app.response);
  return { IncomingMessage: TierRequest, ServerResponse: TierResponse };
}
