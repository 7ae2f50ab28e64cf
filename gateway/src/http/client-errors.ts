/**
 * Responds to requests that Node's HTTP parser rejects: on the socket, in the contract's envelope. A request that fails
 * in its body is already logged and counted by its middleware; any other is counted here, under no operation.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { bounds } from '../bounds';
import { ApiError, type ApiErrorOptions, type ErrorCode, type ErrorLinks, envelope } from '../errors';
import { newRequestId } from '../middleware/request-id';
import type { Metrics } from '../observability/metrics';
import { allowAt, allowOf } from '../services/contract/operations';

/** Time for the client to read the response, before its unread bytes turn the close into a reset. */
const lingerMs = 1_000;

type Fault = readonly [ErrorCode, ApiErrorOptions?];
type Headers = Readonly<Record<string, string>>;

const header = (field: string, expected: string): Fault => [
  'INVALID_PARAMETERS',
  { reason: 'header', values: { field, expected } },
];
const contentLength = header('Content-Length', 'a whole number, given once and without Transfer-Encoding');

const notHttp: Fault = ['INVALID_PARAMETERS', { reason: 'http' }];

const errorOf = ([code, options]: Fault, headers: Headers = {}) => ({
  error: new ApiError(code, options),
  headers,
});

/** The faults by error code of Node and its parser. Any other error means that the request is not HTTP. */
const faults = new Map<string, Fault>([
  ['ERR_HTTP_REQUEST_TIMEOUT', ['REQUEST_TIMEOUT']],
  ['HPE_HEADER_OVERFLOW', ['HEADERS_TOO_LARGE', { reason: 'bytes', values: { limit: bounds.headerBytes } }]],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', ['PAYLOAD_TOO_LARGE']],
  ['HPE_INVALID_CONTENT_LENGTH', contentLength],
  ['HPE_UNEXPECTED_CONTENT_LENGTH', contentLength],
  ['HPE_INVALID_TRANSFER_ENCODING', header('Transfer-Encoding', 'chunked')],
]);

/** An error of Node's parser, with the bytes that it parsed and the number that it accepted. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

/** A request line (RFC 9112, 3). Its method is a token. */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ (\/[^\s?]*)\S* HTTP\/1\.[01]\r?\n/;

/** The parser refuses methods that it does not know, even in a well-formed request. */
const ofMethods: readonly unknown[] = ['HPE_INVALID_METHOD', 'HPE_INVALID_CONSTANT'];

const connectFault: ParserError = Object.assign(new Error('CONNECT'), { code: 'CONNECT' });

/** The path of a request whose method the parser does not know; undefined for any other error. */
function pathOfUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  if (!rawPacket || !ofMethods.includes(code)) return undefined;
  const accepted = rawPacket.toString('latin1', 0, bytesParsed);
  // The line begins behind a line break, or right behind the body of the request before.
  const begins = [accepted.lastIndexOf('\n') + 1, accepted.search(/[A-Z-]*(?: \S+ [A-Z]*)?$/)];
  return begins.map((begin) => requestLine.exec(rawPacket.toString('latin1', begin))?.[1]).find(Boolean);
}

function refusalOf(fault: ParserError) {
  if (fault === connectFault) return errorOf(['METHOD_NOT_ALLOWED'], { Allow: allowOf([]) });
  const path = pathOfUnknownMethod(fault);
  if (path === undefined) return errorOf(faults.get(fault.code ?? '') ?? notHttp);
  const allowed = allowAt(path);
  return allowed === undefined
    ? errorOf(['NOT_FOUND', { reason: 'operation' }])
    : errorOf(['METHOD_NOT_ALLOWED'], { Allow: allowed });
}

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
  const respond = (fault: ParserError, socket: Socket, begun?: Response) => {
    if (!socket.writable || fault.code === 'ECONNRESET' || begun?.headersSent) {
      socket.destroy();
      return;
    }
    const { error, headers } = refusalOf(fault);
    const requestId = begun?.locals.requestId ?? newRequestId();
    socket.end(rawResponse(error, headers, envelope(error, { ...begun?.locals, requestId }, errorLinks)));
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
  const refuse = (fault: ParserError, socket: Socket) => {
    const response = last.get(socket);
    if (!response?.req.complete) respond(fault, socket, response);
    else if (response.writableFinished || !socket.writable) respond(fault, socket);
    else {
      // The response to the previous request goes first, or the client would mistake this one for it.
      socket.pause();
      response.once('finish', () => respond(fault, socket));
    }
  };
  server.on('clientError', (fault: ParserError, socket: Socket) => {
    // Bytes that follow the last request of a connection: the connection closes with its response.
    if (fault.code !== 'HPE_CLOSED_CONNECTION') refuse(fault, socket);
  });
  // Without a listener, Node closes the connection of a CONNECT without a response.
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuse(connectFault, socket);
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

function rawResponse({ status }: ApiError, headers: Headers, content: ReturnType<typeof envelope>): string {
  const body = JSON.stringify(content);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${content.requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
