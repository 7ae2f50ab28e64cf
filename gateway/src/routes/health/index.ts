import brand from '@presenza/contract/brand.json';
import openapi from '@presenza/contract/openapi.json';
import { Router } from 'express';
import { methodNotAllowed } from '../../middleware/errors';
import { operation } from '../../middleware/observe';

/** GET /health: the gateway answers. Open to all, and no statement about the tiers behind it. */
export function healthRoute(now: () => number): Router {
  const router = Router();
  router
    .route('/health')
    .all(operation('health'))
    .get((_req, res) => {
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
  return router;
}
