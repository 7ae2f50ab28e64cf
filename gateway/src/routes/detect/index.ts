import openapi from '@presenza/contract/openapi.json';
import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../../middleware/errors';
import { jsonBody } from '../../middleware/json-body';
import { operation } from '../../middleware/observe';
import { validateBody } from '../../middleware/validate';
import { decodeImage } from '../../services/images';
import type { InferenceClient } from '../../services/inference-client';

/** POST /detect: boxes of the faces in one image. No face is an answer, not an error. */
export function detectRoute(authenticated: RequestHandler, inference: InferenceClient): Router {
  const router = Router();
  router
    .route('/detect')
    .all(operation('detect'))
    .post(
      authenticated,
      ...jsonBody(openapi.paths['/detect'].post['x-max-body-bytes']),
      validateBody('detect-request.json'),
      async (req, res) => {
        const { requestId } = res.locals;
        const { faces } = await inference.detect(decodeImage(req.body.image, 'image'), {
          requestId,
          field: 'image',
        });
        res.json({
          success: true,
          data: { hasFace: faces.length > 0, faceCount: faces.length, faces },
          requestId,
        });
      },
    )
    .all(methodNotAllowed('POST'));
  return router;
}
