import type { ComponentType } from 'react';
import { Operation, SessionCalls } from './operation';
import { Static } from './static';
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

const asStatic = <Props extends object>(Part: ComponentType<Props>) =>
  function StaticPart(props: Props) {
    return (
      <Static>
        <Part {...props} />
      </Static>
    );
  };

/** The components that the reference's content may use. */
export const COMPONENTS = {
  Errors: asStatic(Errors),
  EventExamples: asStatic(EventExamples),
  Events: asStatic(Events),
  Fields: asStatic(Fields),
  Headers: asStatic(Headers),
  Operation,
  Operations: asStatic(Operations),
  RateLimits: asStatic(RateLimits),
  Receivers,
  SessionCalls: asStatic(SessionCalls),
  WebhookHeaders: asStatic(WebhookHeaders),
  WebhookStatuses: asStatic(WebhookStatuses),
};
