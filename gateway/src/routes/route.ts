import type { RequestHandler, Router } from 'express';
import { holdUntilDone } from '../middleware/admit';
import { chain } from '../middleware/chain';
import { announceDeprecation } from '../middleware/deprecation';
import { methodNotAllowed } from '../middleware/errors';
import { sessionCors } from '../middleware/session-cors';
import { allowOf, lifetimeOf, queryParametersOf } from '../services/contract/operations';
import { type GuardServices, guards, type Policy } from './guards';

/** One operation of the API: its policy, and what it does once a request has passed. */
export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  readonly policy: Policy;
  readonly handle: RequestHandler;
}

/** Mounts the operations of one path. Any other method is rejected with 405. */
export function mount(
  api: Router,
  path: string,
  operations: readonly [Operation, ...Operation[]],
  services: GuardServices,
): void {
  const allowed = operations.map(({ method }) => method);
  const route = api.route(path).all(nameOperation(operations), offer(allowed));
  const forPages = operations.filter(({ policy: { caller } }) => caller === 'session' || caller === 'either');
  if (forPages.length > 0) {
    const methods = forPages.map(({ method }) => method.toUpperCase()).join(', ');
    route.all(sessionCors(services.liveness, methods));
  }
  for (const { method, policy, handle } of operations) {
    const checks = guards(
      policy,
      services,
      queryParametersOf(path, method).map(({ name }) => name),
    );
    const lifetime = lifetimeOf(path, method);
    route[method]((_req, res, next) => {
      announceDeprecation(res, lifetime);
      next();
    });
    route[method](chain(...checks, policy.body ? holdUntilDone(handle) : handle));
  }
  route.all(methodNotAllowed(allowed));
}

/** Names the methods of a path to OPTIONS, to the preflight of a page as well. */
function offer(methods: readonly string[]): RequestHandler {
  const allowed = allowOf(methods);
  return (req, res, next) => {
    if (req.method === 'OPTIONS') res.set('Allow', allowed);
    next();
  };
}

/** Names the operation for logs and metrics. A method that the path does not have counts as its first operation. */
function nameOperation(operations: readonly [Operation, ...Operation[]]): RequestHandler {
  const [first] = operations;
  const names = new Map(
    operations.map(({ method, policy }) => [method.toUpperCase(), policy.operation] as const),
  );
  return (req, res, next) => {
    res.locals.operation = names.get(req.method) ?? first.policy.operation;
    next();
  };
}
