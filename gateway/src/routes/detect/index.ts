import openapi from '@presenza/contract/openapi.json';
import { type RequestHandler, Router } from 'express';
import { admit } from '../../middleware/admit';
import { deadline } from '../../middleware/deadline';
import { methodNotAllowed } from '../../middleware/errors';
import { jsonBody } from '../../middleware/json-body';
import { operation } from '../../middleware/observe';
import { timed } from '../../middleware/server-timing';
import { validateBody } from '../../middleware/validate';
import type { Admission } from '../../services/admission';
import { decodeImage } from '../../services/images';
import type { Deadline, InferenceClient } from '../../services/inference-client';

export interface DetectServices {
  readonly authenticated: RequestHandler;
  readonly admission: Admission;
  readonly inference: InferenceClient;
  readonly deadlineMs: number;
}

const maxBodyBytes = openapi.paths['/detect'].post['x-max-body-bytes'];

/** POST /detect: the faces in one image, with the attributes that are asked for. No face is an answer, not an error. */
export function detectRoute({ authenticated, admission, inference, deadlineMs }: DetectServices): Router {
  const router = Router();
  router
    .route('/detect')
    .all(operation('detect'))
    .post(
      admit(admission, maxBodyBytes),
      authenticated,
      timed('read', jsonBody(maxBodyBytes)),
      deadline(deadlineMs),
      validateBody('detect-request.json'),
      async (req, res) => {
        const { image, attributes } = req.body;
        const { requestId, stages } = res.locals;
        const { faces } = await inference.detect(decodeImage(image, 'image'), {
          requestId,
          field: 'image',
          deadline: res.locals.deadline as Deadline,
          stages,
          attributes,
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
