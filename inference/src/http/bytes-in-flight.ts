/**
 * Bounds the memory of request bodies. The queue is bounded by items, but an item may weigh a hundred bytes or five
 * megabytes, and bodies already take memory while they arrive, so they are counted before they are read.
 */
import type { RequestHandler } from 'express';
import { OverloadError } from '../batching/errors';

export class BytesInFlight {
  /** Bytes of the bodies that arrive, wait or are computed. */
  bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** @param assumed counted for a body that does not announce its length. */
  admit(assumed: number): RequestHandler {
    return (req, res, next) => {
      const announced = Number(req.get('content-length') ?? assumed);
      // Beyond the limit of its route the body parser refuses it unread.
      const size = Math.min(announced, assumed);
      if (this.bytes > 0 && this.bytes + size > this.maxBytes) throw new OverloadError('full', 1);
      this.bytes += size;
      res.once('close', () => {
        this.bytes -= size;
      });
      next();
    };
  }
}
