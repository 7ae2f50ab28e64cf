import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

type Classes = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Classes of requests and responses whose prototypes are those of an Express app. Express sets the prototype of each
 * message that it handles. On Node's own classes, that gives every object a hidden class of its own: code that reads them
 * is never specialized, and V8's minor collections keep most of them until the next full one.
 * @returns options for `createServer`; empty if the listener is not an Express app.
 */
export function messageClasses(app: RequestListener | Express): Classes {
  if (!('request' in app)) return {};
  class ApiRequest extends IncomingMessage {}
  class ApiResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(ApiRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(ApiResponse.prototype, app.response);
  return { IncomingMessage: ApiRequest, ServerResponse: ApiResponse };
}
