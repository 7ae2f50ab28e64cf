import { Operation, SessionCalls } from './operation';
import {
  Errors,
  EventExamples,
  Events,
  Fields,
  Headers,
  Operations,
  RateLimits,
  Receivers,
  WebhookHeaders,
  WebhookStatuses,
} from './tables';

/** What the content of the reference may name. */
export const COMPONENTS = {
  Errors,
  EventExamples,
  Events,
  Fields,
  Headers,
  Operation,
  Operations,
  RateLimits,
  Receivers,
  SessionCalls,
  WebhookHeaders,
  WebhookStatuses,
};
