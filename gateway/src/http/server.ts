/** The HTTP servers of the gateway: how patient they are, and how they end. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import limits from '@presenza/contract/limits.json';
import type { Logger } from 'pino';
import type { Metrics } from '../observability/metrics';
import { answerClientErrors } from './client-errors';
import { mostUnanswered, Pipelines } from './pipelining';

const { maxHeaderBytes, maxHeaders, headersTimeoutSeconds, requestTimeoutSeconds } = limits.http;

/** Slow senders are cut off; a 5 MB image on a poor line still arrives in time. */
const patience = {
  headersTimeout: 1_000 * headersTimeoutSeconds,
  requestTimeout: 1_000 * requestTimeoutSeconds,
  keepAliveTimeout: 65_000,
  // Node looks at the timeouts only this often.
  connectionsCheckingInterval: 1_000,
};

const sweepEveryMs = 100;

export interface ServerBounds {
  /**
   * Connections open at once. What comes beyond is closed unanswered: connections without end would take every file
   * descriptor of the process, and with them Redis, the inference tier and the probes.
   */
  readonly maxConnections?: number;
  /** Time for a client to take an answer whose turn it is; within a fifth of it more, its connection is cut. */
  readonly unreadMs?: number;
}

/** The server of the public API: every answer is the app's or has the same envelope. */
export function createApiServer(
  app: RequestListener,
  logger: Logger,
  metrics: Metrics,
  { maxConnections = Number.POSITIVE_INFINITY, unreadMs = 20_000 }: ServerBounds = {},
): Server {
  const pipelines = new Pipelines(
    app,
    once(() => logger.warn({ mostUnanswered }, 'connections with more requests unanswered are cut')),
  );
  const { listener } = pipelines;
  // The app looks for the Host header itself: Node would refuse its absence without an envelope.
  const options = { ...patience, maxHeaderSize: maxHeaderBytes, requireHostHeader: false };
  const server = createServer(options, listener);
  // Node silently drops headers beyond this number, even a key. With one more than allowed, the app can refuse them.
  server.maxHeadersCount = maxHeaders + 1;
  if (maxConnections < Number.POSITIVE_INFINITY) server.maxConnections = maxConnections;
  server.once('drop', () =>
    logger.warn({ maxConnections }, 'connections beyond GATEWAY_MAX_CONNECTIONS are closed unanswered'),
  );
  const look = setInterval(() => pipelines.cutUnread(unreadMs), unreadMs / 10).unref();
  server.once('close', () => clearInterval(look));
  // `100 Continue` is sent once the body is wanted. Other expectations may be ignored (RFC 9110, 10.1.1).
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  answerClientErrors(server, logger, metrics);
  return server;
}

/** Whoever floods a gateway is not to flood its log as well. */
function once(tell: () => void): () => void {
  let told = false;
  return () => {
    if (!told) tell();
    told = true;
  };
}

/** Says so, once, when somebody forwards requests whose word is not taken: all of their clients look like one. */
export function warnOfUntrustedProxy(server: Server, logger: Pick<Logger, 'warn'>): void {
  const look = ({ headers }: IncomingMessage) => {
    if (headers['x-forwarded-for'] === undefined) return;
    server.off('request', look);
    logger.warn(
      'X-Forwarded-For arrives and is not believed: behind a proxy, set GATEWAY_TRUST_PROXY, or all clients share one address and its limit of failed keys',
    );
  };
  server.on('request', look);
}

/**
 * Ends a server: no new connections, idle ones are closed, requests in flight may finish until the deadline.
 * @param deadlineMs after which every connection is cut.
 */
export function closeServer(server: Server, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs);
    const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}
