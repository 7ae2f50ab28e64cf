/** The one place that decides which checks a request passes before its handler, and in which order. */
import openapi from '@presenza/contract/openapi.json';
import type { RequestHandler } from 'express';
import { admit, claimShare, shedLoad } from '../middleware/admit';
import { authorize } from '../middleware/authorize';
import { type BodyOptions, readBody } from '../middleware/body';
import { hasImages } from '../middleware/body/fields';
import { chain } from '../middleware/chain';
import { deadline } from '../middleware/deadline';
import { showOperatorErrors } from '../middleware/errors';
import { checkQuery } from '../middleware/query';
import { countOperation, rejectEarly } from '../middleware/rate';
import { timed } from '../middleware/server-timing';
import { authenticateEither, authenticateSession } from '../middleware/session-token';
import { validateBody } from '../middleware/validate';
import type { ProductId } from '../services/contract/products';
import type { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { Admission } from '../services/limits/admission';
import type { Liveness } from '../services/liveness/liveness';
import type { Metering } from '../services/metering/metering';

/** The requirements of a route. */
export interface Policy {
  /** Name of the operation in logs and metrics. */
  readonly operation: string;
  /** The callers that it accepts: anyone, the owner of an API key, the holder of a session's access token, or either of these. */
  readonly caller: 'anyone' | 'key' | 'session' | 'either';
  /** The product that the API key must include. */
  readonly product?: ProductId;
  /** Requires an API key that is not limited to products. */
  readonly manages?: boolean;
  /** Counts the request toward the rate limit here. Operations that are billed are counted when they are admitted. */
  readonly counted?: boolean;
  /** Rejects the request while the inference tier has no capacity. */
  readonly needsInference?: boolean;
  /** Absent for requests without a body. */
  readonly body?: BodyPolicy;
  /** How many times longer than the gateway's deadline the request may take; by default once. */
  readonly deadlines?: number;
}

export interface BodyPolicy extends Omit<BodyOptions, 'images'> {
  /** File in `gateway/contract/schemas`; absent for bare images. */
  readonly schema?: string;
}

type Paths = typeof openapi.paths;
/** The paths of the API description whose POST has a body. */
export type BodyPath = {
  [Path in keyof Paths]: Paths[Path] extends { post: { 'x-max-body-bytes': number } } ? Path : never;
}[keyof Paths];

export const maxBytesOf = (path: BodyPath): number => openapi.paths[path].post['x-max-body-bytes'];

export interface GuardServices {
  /** Authenticates an API key. */
  readonly authenticated: RequestHandler;
  readonly admission: Admission;
  readonly adaptiveLimit: AdaptiveLimit;
  readonly metering: Metering;
  readonly liveness: Liveness;
  readonly deadlineMs: number;
}

/**
 * The middleware of a route in its order: cheap rejections come first, and the body is read only for valid callers.
 * @param query names of the query parameters. With `images`, they depend on the body, whose reader checks them.
 */
export function guards(policy: Policy, services: GuardServices, query: readonly string[]): RequestHandler[] {
  const { body } = policy;
  const caller = [
    ...callerGuards(policy, services),
    ...(body?.forms === 'images' ? [] : [checkQuery(query)]),
  ];
  if (!body) return caller;
  const read = readBody({ ...body, images: body.schema !== undefined && hasImages(body.schema) });
  return [
    admit(services.admission, body.maxBytes),
    ...caller,
    claimShare(body.maxBytes),
    ...(policy.needsInference ? [shedLoad(services.adaptiveLimit)] : []),
    policy.caller === 'key' ? timed('read', read) : read,
    deadline(services.deadlineMs * (policy.deadlines ?? 1)),
    ...(body.schema === undefined ? [] : [validateBody(body.schema)]),
  ];
}

function callerGuards(policy: Policy, services: GuardServices): RequestHandler[] {
  if (policy.caller === 'anyone') return [];
  if (policy.caller === 'session') return [authenticateSession(services.liveness)];
  const withKey = [
    services.authenticated,
    ...(policy.product || policy.manages ? [authorize(policy)] : []),
    ...(policy.manages ? [showOperatorErrors('code')] : []),
    rejectEarly(services.metering),
    ...(policy.counted ? [countOperation(services.metering)] : []),
  ];
  return policy.caller === 'key' ? withKey : [authenticateEither(services.liveness, chain(...withKey))];
}
