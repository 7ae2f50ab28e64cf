import catalogue from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import openapi from '@presenza/contract/openapi.json';
import type { ModerateReply } from '@presenza/inference/protocol';
import { type RequestHandler, Router } from 'express';
import { AppError } from '../../errors';
import { admit } from '../../middleware/admit';
import { deadline } from '../../middleware/deadline';
import { methodNotAllowed } from '../../middleware/errors';
import { jsonBody } from '../../middleware/json-body';
import { operation } from '../../middleware/observe';
import { timed } from '../../middleware/server-timing';
import { validateBody } from '../../middleware/validate';
import type { Admission } from '../../services/admission';
import { builtInCategories, type Category, type CategoryStore } from '../../services/categories';
import { decodeImage } from '../../services/images';
import type { Deadline, InferenceClient } from '../../services/inference-client';
import type { Principal } from '../../services/keys';

export interface ModerateServices {
  readonly authenticated: RequestHandler;
  readonly admission: Admission;
  readonly inference: InferenceClient;
  readonly categories: Pick<CategoryStore, 'listCategories'>;
  readonly deadlineMs: number;
}

const maxBodyBytes = openapi.paths['/moderate'].post['x-max-body-bytes'];

/** POST /moderate: what one image shows of the built-in categories and the account's own. */
export function moderateRoute(services: ModerateServices): Router {
  const { authenticated, admission, inference, categories, deadlineMs } = services;
  const router = Router();
  router
    .route('/moderate')
    .all(operation('moderate'))
    .post(
      admit(admission, maxBodyBytes),
      authenticated,
      timed('read', jsonBody(maxBodyBytes)),
      deadline(deadlineMs),
      validateBody('moderate-request.json'),
      async (req, res) => {
        const { image, confidenceThreshold = limits.thresholds.moderationConfidenceDefault } = req.body;
        const { requestId, stages } = res.locals;
        const bytes = decodeImage(image, 'image');
        const own = await categories.listCategories((res.locals.principal as Principal).accountId);
        const wanted = choose(req.body.categories, own);
        const reply = await inference.moderate(
          bytes,
          { builtIn: wanted.builtIn, prototypes: wanted.own.map(({ prototype }) => prototype) },
          { requestId, field: 'image', deadline: res.locals.deadline as Deadline, stages },
        );
        const detectedElements = elementsOf(reply, wanted.own)
          .filter(({ confidence }) => confidence >= confidenceThreshold)
          .sort((a, b) => b.confidence - a.confidence);
        res.json({ success: true, data: { detectedElements }, requestId });
      },
    )
    .all(methodNotAllowed('POST'));
  return router;
}

/** @throws AppError when a name is neither built in nor one of the account's. */
function choose(names: readonly string[] | undefined, own: readonly Category[]) {
  if (names === undefined) return { builtIn: builtInCategories, own };
  const known = [...builtInCategories, ...own.map(({ name }) => name)];
  if (!names.every((name) => known.includes(name))) {
    const expected = catalogue.INVALID_PARAMETERS.expectations.enum.replace('{values}', known.join(', '));
    throw new AppError('INVALID_PARAMETERS', { reason: 'value', values: { field: 'categories', expected } });
  }
  return {
    builtIn: builtInCategories.filter((name) => names.includes(name)),
    own: own.filter(({ name }) => names.includes(name)),
  };
}

function elementsOf({ elements, custom }: ModerateReply, own: readonly Category[]) {
  return [...elements, ...own.map(({ name }, i) => ({ type: name, confidence: custom[i] as number }))];
}
