/**
 * Responds to requests that Node's HTTP parser rejects: on the socket, in the contract's envelope. A request that fails
 * in its body is already logged and counted by its middleware; any other is counted here, under no operation.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { bounds } from '../bounds';
import {
  AppError,
  type AppErrorOptions,
  type ErrorCode,
  type ErrorLinks,
  envelope,
  type FailedRequest,
} from '../errors';
import { newRequestId } from '../middleware/request-id';
import type { Metrics } from '../observability/metrics';

/** Time for the client to read the response, before its unread bytes turn the close into a reset. */
const lingerMs = 1_000;

type Fault = readonly [ErrorCode, AppErrorOptions?];

const header = (field: string, expected: string): Fault => [
  'INVALID_PARAMETERS',
  { reason: 'header', values: { field, expected } },
];
const contentLength = header('Content-Length', 'a whole number, given once and without Transfer-Encoding');

const notHttp: Fault = ['INVALID_PARAMETERS', { reason: 'http' }];

/** By error code of Node and its parser. Any other error means that the request is not HTTP. */
const faults = new Map<string, Fault>([
  ['ERR_HTTP_REQUEST_TIMEOUT', ['REQUEST_TIMEOUT']],
  ['HPE_HEADER_OVERFLOW', ['HEADERS_TOO_LARGE', { reason: 'bytes', values: { limit: bounds.headerBytes } }]],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', ['PAYLOAD_TOO_LARGE']],
  ['HPE_INVALID_CONTENT_LENGTH', contentLength],
  ['HPE_UNEXPECTED_CONTENT_LENGTH', contentLength],
  ['HPE_INVALID_TRANSFER_ENCODING', header('Transfer-Encoding', 'chunked')],
]);

export interface ClientErrorServices {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly errorLinks?: ErrorLinks | undefined;
}

export function respondToClientErrors(
  server: Server,
  { logger, metrics, errorLinks = {} }: ClientErrorServices,
): void {
  const last = lastResponses(server);
  const respond = (fault: NodeJS.ErrnoException, socket: Socket, begun?: Response) => {
    if (!socket.writable || fault.code === 'ECONNRESET' || begun?.headersSent) {
      socket.destroy();
      return;
    }
    const [errorCode, options] = faults.get(fault.code ?? '') ?? notHttp;
    const error = new AppError(errorCode, options);
    const requestId = begun?.locals.requestId ?? newRequestId();
    socket.end(rawResponse(error, { ...begun?.locals, requestId }, errorLinks));
    socket.pause();
    setTimeout(() => socket.destroy(), lingerMs).unref();
    const { code, status } = error;
    const { reason } = error.body;
    if (begun) {
      Object.assign(begun.locals, { errorCode: code, errorReason: reason, rawStatus: status });
      // The connection stays open for the client to read; the capacity is free at once.
      begun.locals.permit?.release();
      return;
    }
    metrics.requestSeconds.observe({ operation: 'none', status, plan: 'none' }, 0);
    metrics.refused(code, reason);
    logger.info({ requestId, operation: 'none', status, code, fault: fault.code }, 'request');
  };
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) => {
    // Bytes that follow the last request of a connection: the connection closes with its response.
    if (fault.code === 'HPE_CLOSED_CONNECTION') return;
    const response = last.get(socket);
    if (!response?.req.complete) respond(fault, socket, response);
    else if (response.writableFinished || !socket.writable) respond(fault, socket);
    else {
      // The response to the previous request goes first, or the client would mistake this one for it.
      socket.pause();
      response.once('finish', () => respond(fault, socket));
    }
  });
}

/** The response to the latest request of each connection. */
function lastResponses(server: Server): WeakMap<Socket, Response> {
  const last = new WeakMap<Socket, Response>();
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, ({ socket }: IncomingMessage, res: ServerResponse) =>
      last.set(socket, res as Response),
    );
  }
  return last;
}

function rawResponse(error: AppError, request: FailedRequest, links: ErrorLinks): string {
  const body = JSON.stringify(envelope(error, request, links));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${request.requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
