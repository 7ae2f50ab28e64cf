import type { Request, RequestHandler, Response } from 'express';

/** Runs just before the headers of a response are sent: the status is final, and headers can still be set. */
export type BeforeHeaders = (req: Request, res: Response) => void;

export function beforeHeaders(...acts: readonly BeforeHeaders[]): RequestHandler {
  return (req, res, next) => {
    const { writeHead } = res;
    res.writeHead = ((...args: Parameters<typeof writeHead>) => {
      for (const act of acts) act(req, res);
      return writeHead.apply(res, args);
    }) as typeof writeHead;
    next();
  };
}
