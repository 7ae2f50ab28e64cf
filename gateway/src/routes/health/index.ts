import brand from '@presenza/contract/brand.json';
import openapi from '@presenza/contract/openapi.json';
import type { RequestHandler, Router } from 'express';
import { AppError } from '../../errors';
import type { GuardServices } from '../guards';
import { mount } from '../route';

export interface HealthServices extends GuardServices {
  /** Resolves to the names of the problems that keep the gateway from serving requests. */
  readonly unready: () => Promise<readonly string[]>;
  readonly now: () => number;
}

/** GET /health: whether the gateway can serve requests at this moment. */
export function healthRoute(api: Router, services: HealthServices): void {
  const policy = { operation: 'health', caller: 'anyone' } as const;
  mount(api, '/health', [{ method: 'get', policy, handle: handler(services) }], services);
}

const handler =
  ({ unready, now }: HealthServices): RequestHandler =>
  async (_req, res) => {
    const [reason] = await unready();
    if (reason !== undefined) throw new AppError('SERVICE_UNAVAILABLE', { reason, retryAfterSeconds: 1 });
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
