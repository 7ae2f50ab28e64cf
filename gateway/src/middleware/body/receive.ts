/** Receives a body into one buffer. */
import type { Request } from 'express';
import { afterRunning } from '../../async/running-timeout';
import { bounds } from '../../bounds';
import { ApiError, ClientGone } from '../../errors';

/** Memory to allocate before any byte arrives. The rest is allocated once this much has arrived. */
const firstBytes = 64 * 1024;

/** A body that fits in them has a shorter deadline, because it holds a request's capacity while it arrives. */
const smallBytes = firstBytes;
const smallBodyMs = 1_000 * bounds.smallBodySeconds;

/**
 * @param maxBytes the declared length, or the limit for a body without one.
 * @param onArrived called with the number of bytes so far; an error that it throws rejects the body.
 * @param tooLarge makes the error for more bytes than these.
 * @throws ApiError `tooLarge` as soon as more bytes arrive, REQUEST_TIMEOUT for a small body that is late; ClientGone
 */
export function receive(
  req: Request,
  maxBytes: number,
  onArrived: (bytes: number) => void,
  tooLarge = () => new ApiError('PAYLOAD_TOO_LARGE'),
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Pages of memory that are never written to cost nothing.
    let body = Buffer.allocUnsafe(Math.min(maxBytes, firstBytes));
    let size = 0;
    const late = () => {
      if (req.res) req.res.shouldKeepAlive = false;
      reject(new ApiError('REQUEST_TIMEOUT'));
    };
    const cancel = maxBytes <= smallBytes ? afterRunning(smallBodyMs, late) : () => {};
    req.on('data', (chunk: Buffer) => {
      if (size + chunk.length > maxBytes) return reject(tooLarge());
      try {
        onArrived(size + chunk.length);
      } catch (error) {
        return reject(error);
      }
      if (size + chunk.length > body.length) {
        const start = body.subarray(0, size);
        body = Buffer.allocUnsafeSlow(maxBytes);
        start.copy(body);
      }
      size += chunk.copy(body, size);
    });
    req.on('end', () => {
      cancel();
      resolve(body.subarray(0, size));
    });
    req.on('close', () => {
      cancel();
      if (!req.complete) reject(new ClientGone());
    });
  });
}
