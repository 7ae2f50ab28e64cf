/**
 * Limits the memory of request bodies. The queue limits the number of items, but an item may have a hundred bytes or five
 * megabytes, and a body takes memory while it arrives. So bodies are counted before they are read.
 */
import type { RequestHandler } from 'express';
import { OverloadError } from '../scheduling/errors';

export class BytesInFlight {
  /** Bytes of the bodies that arrive, wait or are in progress. */
  bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** @param limit of the route, counted for a body without a declared length */
  admit(limit: number): RequestHandler {
    return (req, res, next) => {
      const announced = Number(req.get('content-length') ?? limit);
      // The body parser rejects a larger body unread.
      const size = Math.min(announced, limit);
      if (this.bytes > 0 && this.bytes + size > this.maxBytes) throw new OverloadError('full', 1);
      this.bytes += size;
      res.once('close', () => {
        this.bytes -= size;
      });
      next();
    };
  }
}
