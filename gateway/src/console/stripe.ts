/** The call of Stripe with events about payments. It has no cookie: its signature covers the bytes of the body. */
import type { Router } from 'express';
import { ApiError } from '../errors';
import { admit, claimVisitorShare, grow } from '../middleware/admit';
import { receive } from '../middleware/body/receive';
import { chain } from '../middleware/chain';
import { declaredBytes } from '../middleware/declared-bytes';
import { notFound } from '../middleware/errors';
import { operation } from '../middleware/observe';
import type { StripeEvents } from '../services/billing/stripe-events';
import type { Admission } from '../services/limits/admission';

const maxBytes = 256 * 1024;

export function stripeRoute(
  router: Router,
  { events }: { readonly events?: Pick<StripeEvents, 'receive'> | undefined },
  admission: Admission,
): void {
  // Otherwise Stripe would learn that it is no page of the console.
  if (!events) return void router.all('/stripe', notFound());
  const admitted = chain(admit(admission, maxBytes), claimVisitorShare(maxBytes));
  router.post('/stripe', operation('console stripe'), admitted, async (req, res) => {
    const declared = declaredBytes(req, maxBytes);
    if (declared > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE');
    const body = await receive(req, declared, (arrived) => grow(res, arrived));
    await events.receive(body, String(req.headers['stripe-signature'] ?? ''));
    res.json({ success: true, requestId: res.locals.requestId });
  });
}
