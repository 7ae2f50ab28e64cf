import brand from '@presenza/contract/brand.json';
import openapi from '@presenza/contract/openapi.json';
import type { Router } from 'express';
import { AppError } from '../../errors';
import { methodNotAllowed } from '../../middleware/errors';
import { operation } from '../../middleware/observe';

export interface HealthServices {
  /** Resolves to what keeps requests from being served, by name; empty when all is well. */
  readonly unready: () => Promise<readonly string[]>;
  readonly now: () => number;
}

/** GET /health: whether requests would be served at this moment. Open to all. */
export function healthRoute(api: Router, { unready, now }: HealthServices): void {
  api
    .route('/health')
    .all(operation('health'))
    .get(async (_req, res) => {
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
    })
    .all(methodNotAllowed('GET, HEAD'));
}
