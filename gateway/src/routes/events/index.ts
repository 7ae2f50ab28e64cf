/** Events of liveness sessions, for receivers that missed some. */
import type { EventType } from '@presenza/contract/client/types.d.ts';
import type { Router } from 'express';
import type { Principal } from '../../services/keys/keys';
import type { EventHistory } from '../../services/webhooks/event-history';
import type { GuardServices } from '../guards';
import { listOperation, timesOf } from '../list-operation';
import { mount, type Operation } from '../route';

export interface EventServices extends GuardServices {
  readonly events: Pick<EventHistory, 'list' | 'find'>;
}

const product = 'livenessVerification';

export function eventsRoute(api: Router, services: EventServices): void {
  mount(api, '/events', [listEvents(services)], services);
  mount(api, '/events/:eventId', [getEvent(services)], services);
}

interface Filter {
  readonly eventType?: EventType;
  readonly from?: string;
  readonly to?: string;
}

/** GET /events: lists the events of the last days in the key's mode. */
const listEvents = ({ events }: EventServices) =>
  listOperation<Filter>('/events', { operation: 'listEvents', product }, async (principal, page) => {
    const { accountId, mode } = principal;
    const { from, to, ...rest } = page;
    const times = timesOf({ from, to });
    return events.list(accountId, { ...rest, ...times, mode });
  });

/** GET /events/{eventId}: one event. */
const getEvent = ({ events }: EventServices): Operation => ({
  method: 'get',
  policy: { operation: 'getEvent', caller: 'key', product, counted: true },
  handle: async (req, res) => {
    const { accountId, mode } = res.locals.principal as Principal;
    const data = await events.find(accountId, mode, String(req.params.eventId));
    res.json({ success: true, data, requestId: res.locals.requestId });
  },
});
