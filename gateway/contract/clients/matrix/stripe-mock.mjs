// Stripe's mock server, which checks requests against the description of Stripe's API. `npm run test:clients` installs it.

import { join } from 'node:path';
import { CHECKOUT_STATE } from '../../../harness/cli/paths.mjs';

export const STRIPE_MOCK = join(CHECKOUT_STATE, 'clients/tools/go/stripe-mock');
export const STRIPE_MOCK_MODULE = 'github.com/stripe/stripe-mock@v0.203.0';
