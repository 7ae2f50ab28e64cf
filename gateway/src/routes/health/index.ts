import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import openapi from '@presenza/contract/openapi.json';
import type { RequestHandler, Router } from 'express';
import { ApiError } from '../../errors';
import type { HealthHistory } from '../../services/health/health-history';
import type { GuardServices } from '../guards';
import { mount } from '../route';

export interface HealthServices extends GuardServices {
  /** Resolves to the names of the problems that keep the gateway from serving requests. */
  readonly unready: () => Promise<readonly string[]>;
  readonly health: Pick<HealthHistory, 'read'>;
  readonly now: () => number;
}

/** GET /health: whether the gateway can serve requests at this moment. GET /health/history: the parts of the service. */
export function healthRoute(api: Router, services: HealthServices): void {
  const now = { operation: 'health', caller: 'anyone' } as const;
  mount(api, '/health', [{ method: 'get', policy: now, handle: current(services) }], services);
  const past = { operation: 'healthHistory', caller: 'anyone' } as const;
  mount(api, '/health/history', [{ method: 'get', policy: past, handle: history(services) }], services);
}

const current =
  ({ unready, now }: HealthServices): RequestHandler =>
  async (_req, res) => {
    const [reason] = await unready();
    if (reason !== undefined) throw new ApiError('SERVICE_UNAVAILABLE', { reason, retryAfterSeconds: 1 });
    res.json({
      success: true,
      data: {
        message: `${brand.name} is running`,
        timestamp: new Date(now()).toISOString(),
        version: openapi.info.version,
        service: brand.serviceName,
      },
      requestId: res.locals.requestId,
    });
  };

/** The response is the same for everybody, so that pages of every origin may read it and caches may keep it. */
const history =
  ({ health, now }: HealthServices): RequestHandler =>
  async (_req, res) => {
    const components = await health.read();
    res.set('Access-Control-Allow-Origin', '*');
    res.set('Cache-Control', `public, max-age=${limits.health.maxAgeSeconds}`);
    res.json({
      success: true,
      data: { timestamp: new Date(now()).toISOString(), components },
      requestId: res.locals.requestId,
    });
  };
