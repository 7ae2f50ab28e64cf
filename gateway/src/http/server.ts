/** Creates and closes the HTTP servers of the gateway, with their timeouts and limits. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { serverTimeouts } from '@presenza/contract/internal-port.cjs';
import type { Logger } from 'pino';
import { bounds } from '../bounds';
import type { ErrorLinks } from '../errors';
import type { Metrics } from '../observability/metrics';
import { respondToClientErrors } from './client-errors';
import { messageClasses } from './message-classes';
import { maxOpenResponses, Pipelines } from './pipelining';

const { headerBytes, headers } = bounds;

const sweepEveryMs = 100;

export interface ServerOptions {
  /**
   * Connections open at once; any more are closed without a response. Without a limit, they would take every file
   * descriptor of the process, which Redis, the inference tier and the probes need too.
   */
  readonly maxConnections?: number;
  /** Time for a client to read a finished response. Its connection is closed within a fifth of that time more. */
  readonly unreadMs?: number;
  readonly errorLinks?: ErrorLinks | undefined;
}

/** Creates the server of the public API. Every response comes from the app or has the same envelope. */
export function createApiServer(
  app: RequestListener,
  logger: Logger,
  metrics: Metrics,
  {
    maxConnections = Number.POSITIVE_INFINITY,
    unreadMs = bounds.unreadResponseMs,
    errorLinks,
  }: ServerOptions = {},
): Server {
  const pipelines = new Pipelines(
    app,
    once(() => logger.warn({ maxOpenResponses }, 'closing connections with more incomplete responses')),
  );
  const { listener } = pipelines;
  // The app checks the Host header itself, because Node would reject its absence without an envelope.
  const options = {
    // They disconnect slow senders, but leave time for a 5 MB image on a slow line.
    ...serverTimeouts,
    ...messageClasses(app),
    maxHeaderSize: headerBytes,
    requireHostHeader: false,
  };
  const server = createServer(options, listener);
  // Node silently drops headers above this number, even a key. With one more than allowed, the app can reject them.
  server.maxHeadersCount = headers + 1;
  if (maxConnections < Number.POSITIVE_INFINITY) server.maxConnections = maxConnections;
  server.once('drop', () =>
    logger.warn({ maxConnections }, 'closing connections above GATEWAY_MAX_CONNECTIONS'),
  );
  const timer = setInterval(() => pipelines.cutUnread(unreadMs), unreadMs / 10).unref();
  server.once('close', () => clearInterval(timer));
  // The gateway sends `100 Continue` once it wants the body. Other expectations may be ignored (RFC 9110, 10.1.1).
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  respondToClientErrors(server, { logger, metrics, errorLinks });
  return server;
}

/** Runs a function only once, so that a flood of requests does not flood the log. */
function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/** Headers by which proxies state the address of a client. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

/**
 * Warns once if an untrusted proxy forwards requests, because all of its clients then count as one.
 * @param publicUrl of the pages that call the server; with https, there must be a proxy, since the server has no TLS
 */
export function warnOfUntrustedProxy(
  server: Server,
  logger: Pick<Logger, 'warn'>,
  publicUrl = 'http://127.0.0.1',
): void {
  const warn = (reason: string) =>
    logger.warn(
      `${reason}, but GATEWAY_TRUST_PROXY trusts no proxy: all clients behind it count as one address, which has the limits of failed keys and sign-ins of a single client`,
    );
  if (new URL(publicUrl).protocol === 'https:') {
    warn('VERIFY_URL is public');
    return;
  }
  const warnAboutProxy = ({ headers }: IncomingMessage) => {
    const name = proxyHeaders.find((header) => headers[header] !== undefined);
    if (name === undefined) return;
    server.off('request', warnAboutProxy);
    warn(`a request has the header ${name} of a proxy`);
  };
  server.on('request', warnAboutProxy);
}

/**
 * Closes a server: it takes no new connections, closes idle ones, and lets requests in flight finish until the deadline.
 * @param deadlineMs when every remaining connection is closed.
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
