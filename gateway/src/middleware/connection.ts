/**
 * Whether a connection may serve another request is settled when an answer's headers go out: not while the gateway
 * drains, and not when much of the request's body would have to be read first.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { type BeforeHeaders, beforeHeaders } from './before-headers';

/** What a client may still send after an early answer: a body of the usual size ends, gigabytes do not. */
const lingerBytes = 16 * 1024 * 1024;
const lingerMs = 2_000;

export const connection = (draining: () => boolean): RequestHandler => beforeHeaders(keepOrClose(draining));

export function keepOrClose(draining: () => boolean): BeforeHeaders {
  return (req, res) => {
    const unread = !req.complete && hasBody(req);
    if (draining() || (unread && !isBrief(req))) res.set('Connection', 'close');
    else if (unread && res.shouldKeepAlive) return endSoon(req);
    if (unread) linger(req);
  };
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Bytes that are read over sooner than a connection is made anew, which in a surge is what refusals would cost most. */
const briefBytes = 64 * 1024;

/** Who asks whether to send a body may not send it at all: then the next request would be taken for it. */
const isBrief = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  Number(headers['content-length'] ?? 0) <= briefBytes;

/** The rest of the body is read over and the connection stays, unless that takes too long. */
function endSoon(req: IncomingMessage): void {
  const timer = setTimeout(() => req.socket.destroy(), lingerMs);
  req.once('close', () => clearTimeout(timer));
}

/**
 * Node closes the connection right behind the answer. With bytes of the body unread that is a reset, which reaches
 * many clients before they have read the answer: so the rest is dropped for a while, within bounds.
 */
function linger(req: IncomingMessage): void {
  const { socket } = req;
  const closeNow = socket.destroySoon;
  socket.destroySoon = () => {
    if (req.complete) return closeNow.call(socket);
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
    req.once('end', () => closeNow.call(socket));
  };
  let dropped = 0;
  req.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > lingerBytes) socket.destroy();
  });
}
