/**
 * What Node's HTTP parser refuses is answered here, on the bare socket, in the contract's envelope. Refused in its
 * body, it is a request already, which logs and counts itself; otherwise it is one of no operation.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import limits from '@presenza/contract/limits.json';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { AppError, type AppErrorOptions, type ErrorCode, envelope } from '../errors';
import { newRequestId } from '../middleware/request-id';
import type { Metrics } from '../observability/metrics';

/** Time for the client to read the answer before its unread bytes turn the close into a reset. */
const lingerMs = 1_000;

const { maxHeaderBytes } = limits.http;

type Fault = readonly [ErrorCode, AppErrorOptions?];

const header = (field: string, expected: string): Fault => [
  'INVALID_PARAMETERS',
  { reason: 'header', values: { field, expected } },
];
const contentLength = header('Content-Length', 'a whole number, given once and without Transfer-Encoding');

const notHttp: Fault = ['INVALID_PARAMETERS', { reason: 'http' }];

/** By the codes of Node and its parser; any other is a request that is not HTTP. */
const faults = new Map<string, Fault>([
  ['ERR_HTTP_REQUEST_TIMEOUT', ['REQUEST_TIMEOUT']],
  ['HPE_HEADER_OVERFLOW', ['HEADERS_TOO_LARGE', { reason: 'bytes', values: { limit: maxHeaderBytes } }]],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', ['PAYLOAD_TOO_LARGE']],
  ['HPE_INVALID_CONTENT_LENGTH', contentLength],
  ['HPE_UNEXPECTED_CONTENT_LENGTH', contentLength],
  ['HPE_INVALID_TRANSFER_ENCODING', header('Transfer-Encoding', 'chunked')],
]);

export function answerClientErrors(server: Server, logger: Logger, metrics: Metrics): void {
  const last = lastResponses(server);
  const answer = (fault: NodeJS.ErrnoException, socket: Socket, begun?: Response) => {
    if (!socket.writable || fault.code === 'ECONNRESET' || begun?.headersSent) {
      socket.destroy();
      return;
    }
    const [errorCode, options] = faults.get(fault.code ?? '') ?? notHttp;
    const error = new AppError(errorCode, options);
    const requestId = begun?.locals.requestId ?? newRequestId();
    socket.end(rawAnswer(error, requestId));
    socket.pause();
    setTimeout(() => socket.destroy(), lingerMs).unref();
    const { code, status } = error;
    const { reason } = error.body;
    if (begun) {
      Object.assign(begun.locals, { errorCode: code, errorReason: reason, rawStatus: status });
      // The connection lingers for the client's sake; the request makes room now.
      begun.locals.stay?.leave();
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
    if (!response?.req.complete) answer(fault, socket, response);
    else if (response.writableFinished || !socket.writable) answer(fault, socket);
    else {
      // The request before it is whole: its answer goes first, or this one would be taken for it.
      socket.pause();
      response.once('finish', () => answer(fault, socket));
    }
  });
}

/** The response to the request that a connection sent last. */
function lastResponses(server: Server): WeakMap<Socket, Response> {
  const last = new WeakMap<Socket, Response>();
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, ({ socket }: IncomingMessage, res: ServerResponse) =>
      last.set(socket, res as Response),
    );
  }
  return last;
}

function rawAnswer(error: AppError, requestId: string): string {
  const body = JSON.stringify(envelope(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
