/**
 * Decides, when the headers of a response are sent, whether its connection may serve another request: not while the
 * gateway drains, and not if much of the request's body would have to be read first.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { bounds } from '../bounds';
import { type BeforeHeaders, beforeHeaders } from './before-headers';
import { declaredBytes } from './declared-bytes';

/** Bytes that a client may still send after an early response: the rest of an ordinary body, but not gigabytes. */
const lingerBytes = bounds.unreadBodyBytes;
/** How long a client may pause within such a body. Its total time is that of any request, which Node limits. */
const lingerMs = 2_000;
/** A connection is cut off after this many checks in a row that find no new byte. */
const silentChecks = 10;

export const connection = (draining: () => boolean): RequestHandler => beforeHeaders(keepOrClose(draining));

export function keepOrClose(draining: () => boolean): BeforeHeaders {
  return (req, res) => {
    const unread = !req.complete && hasBody(req);
    if (draining() || (unread && !isBrief(req))) res.set('Connection', 'close');
    else if (unread && res.shouldKeepAlive) return endSoon(req);
    if (unread) linger(req);
  };
}

const hasBody = (req: IncomingMessage) => declaredBytes(req, 1) > 0;

/** Discarding so many bytes is cheaper than a new connection, the main cost of rejections during a surge. */
const briefBytes = 64 * 1024;

/** A client that sent `Expect` may never send its body; the next request would be mistaken for it. */
const isBrief = (req: IncomingMessage) =>
  req.headers.expect === undefined && declaredBytes(req, Number.POSITIVE_INFINITY) <= briefBytes;

/** Discards the rest of the body and keeps the connection, unless the client stops sending. */
const endSoon = (req: IncomingMessage): void => cutWhenSilent(req.socket, () => req.complete);

/**
 * Destroys the connection once the client has sent nothing for `lingerMs`. Only time in which this process runs counts,
 * because Node reads the socket between two checks: neither a slow line nor a busy machine costs a client its response.
 * @param isOver ends the checks
 */
function cutWhenSilent(socket: Socket, isOver = () => false): void {
  let { bytesRead } = socket;
  let checks = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || isOver()) return clearInterval(timer);
    checks = socket.bytesRead === bytesRead ? checks + 1 : 0;
    ({ bytesRead } = socket);
    if (checks === silentChecks) socket.destroy();
  }, lingerMs / silentChecks);
}

/**
 * Node closes the connection right after the response. With unread bytes in the body, that is a reset, which reaches
 * many clients before they have read the response. So the gateway discards the rest for a while, within bounds.
 */
function linger(req: IncomingMessage): void {
  const { socket } = req;
  const closeNow = socket.destroySoon;
  socket.destroySoon = () => {
    if (req.complete) return closeNow.call(socket);
    socket.end();
    cutWhenSilent(socket);
    req.once('end', () => closeNow.call(socket));
  };
  let dropped = 0;
  req.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > lingerBytes) socket.destroy();
  });
}
