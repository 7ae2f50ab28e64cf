/** Screens of an account and its members. */

export { default as Billing } from '../areas/billing';
export { default as BillingInvoice } from '../areas/billing/invoice';
export { default as Home } from '../areas/home';
export { default as Keys } from '../areas/keys';
export { default as Members } from '../areas/members';
export { default as Profile } from '../areas/profile';
export { default as ProfileNewEmail } from '../areas/profile/new-email';
export { default as Requests } from '../areas/requests';
export { default as Sessions } from '../areas/sessions';
export { default as SessionsSession } from '../areas/sessions/session';
export { default as Settings } from '../areas/settings';
export { default as Usage } from '../areas/usage';
export { default as Webhooks } from '../areas/webhooks';
export { default as WebhooksEndpoint } from '../areas/webhooks/endpoint';
