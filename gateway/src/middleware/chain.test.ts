import type { Request, RequestHandler, Response } from 'express';
import { chain } from './chain';

const req = {} as Request;
const res = {} as Response;
const passes: RequestHandler = (_req, _res, next) => next();

/** The error that the handlers end with, or undefined. */
const outcomeOf = (...handlers: RequestHandler[]) =>
  new Promise<unknown>((resolve) => chain(...handlers)(req, res, resolve));

test('each runs once, in order, also behind one that takes its time', async () => {
  const ran: number[] = [];
  const runs =
    (number: number): RequestHandler =>
    async (_req, _res, next) => {
      ran.push(number);
      await Promise.resolve();
      next();
    };
  expect(await outcomeOf(runs(1), passes, runs(2), runs(3))).toBeUndefined();
  expect(ran).toEqual([1, 2, 3]);
});

const failure = new Error('of a handler');
test.each<[string, RequestHandler]>([
  [
    'throws',
    () => {
      throw failure;
    },
  ],
  ['rejects', () => Promise.reject(failure)],
  ['passes an error on', (_req, _res, next) => next(failure)],
])('a handler that %s ends the chain', async (_how, fails) => {
  const after = jest.fn();
  expect(await outcomeOf(passes, fails, after)).toBe(failure);
  expect(after).not.toHaveBeenCalled();
});
