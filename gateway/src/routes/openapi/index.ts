import { createHash } from 'node:crypto';
import { bundleOpenapi } from '@presenza/contract/bundle.cjs';
import type { Router } from 'express';
import type { GuardServices } from '../guards';
import { mount } from '../route';

/** Tools poll the description; five minutes let them see a new version soon after an upgrade. */
const cacheControl = 'public, max-age=300';

/** GET /openapi.json: the API description, which stays the same until the gateway restarts. */
export function openapiRoute(api: Router, services: GuardServices): void {
  // All responses share one buffer, however slowly clients read them.
  const document = Buffer.from(JSON.stringify(bundleOpenapi()));
  const etag = `"${createHash('sha256').update(document).digest('base64url')}"`;
  const policy = { operation: 'openapi', caller: 'anyone' } as const;
  mount(
    api,
    '/openapi.json',
    [
      {
        method: 'get',
        policy,
        // Express responds with 304 if the client has this version.
        handle: (_req, res) =>
          void res.set({ 'Cache-Control': cacheControl, ETag: etag }).type('json').send(document),
      },
    ],
    services,
  );
}
