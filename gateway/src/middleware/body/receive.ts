/** Receives bodies into one piece of memory. */
import type { Request } from 'express';
import { AppError, ClientGone } from '../../errors';

/** Memory set aside on a client's word alone; the rest once this much has arrived. */
const firstBytes = 64 * 1024;

/**
 * @param maxBytes what the headers announce, or the most that is read where they do not.
 * @param onArrived takes how many bytes have come by now; what it throws ends the reading.
 * @throws AppError PAYLOAD_TOO_LARGE as soon as more arrives; ClientGone
 */
export function receive(req: Request, maxBytes: number, onArrived: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Pages of memory that nothing was written to cost nothing.
    let body = Buffer.allocUnsafe(Math.min(maxBytes, firstBytes));
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      if (size + chunk.length > maxBytes) return reject(new AppError('PAYLOAD_TOO_LARGE'));
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
    req.on('end', () => resolve(body.subarray(0, size)));
    req.on('close', () => {
      if (!req.complete) reject(new ClientGone());
    });
  });
}
