import type { RequestHandler } from 'express';

/**
 * Combines handlers into one that runs them in order. Express would match the path and create
 * closures for each of them.
 */
export function chain(...handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let place = 0;
    const handOn = (error?: unknown) => {
      const handler = error === undefined ? handlers[place++] : undefined;
      if (!handler) return next(error);
      try {
        const running: unknown = handler(req, res, handOn);
        if (running instanceof Promise) running.catch(next);
      } catch (thrown) {
        next(thrown);
      }
    };
    handOn();
  };
}
