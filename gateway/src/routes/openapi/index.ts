import { createHash } from 'node:crypto';
import type { Router } from 'express';
import { methodNotAllowed } from '../../middleware/errors';
import { operation } from '../../middleware/observe';
import { bundleOpenapi } from '../../services/contract/openapi';

/** Tools ask again and again; after an upgrade they should see it soon. */
const cacheControl = 'public, max-age=300';

/** GET /openapi.json: the API's description. Open to all, and the same for all until the next start. */
export function openapiRoute(api: Router): void {
  // One piece of memory for all answers, however many clients take their time to read it.
  const document = Buffer.from(JSON.stringify(bundleOpenapi()));
  const etag = `"${createHash('sha256').update(document).digest('base64url')}"`;
  api
    .route('/openapi.json')
    .all(operation('openapi'))
    .get((_req, res) => {
      // Express answers 304 by itself where the client has this version.
      res.set({ 'Cache-Control': cacheControl, ETag: etag }).type('json').send(document);
    })
    .all(methodNotAllowed('GET, HEAD'));
}
