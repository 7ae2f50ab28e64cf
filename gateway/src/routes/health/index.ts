import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import openapi from '@presenza/contract/openapi.json';
import type { RequestHandler, Response, Router } from 'express';
import { ApiError, type ErrorLinks } from '../../errors';
import type { HealthHistory } from '../../services/health/health-history';
import { feedOf, feedType } from '../../services/incidents/feed';
import { viewOf } from '../../services/incidents/incident';
import type { KnownIncidents, PublicIncidents } from '../../services/incidents/public-incidents';
import { isoTime } from '../../services/timing/iso-time';
import type { GuardServices } from '../guards';
import { mount } from '../route';

export interface HealthServices extends GuardServices {
  /** Resolves to the names of the problems that keep the gateway from serving requests. */
  readonly unready: () => Promise<readonly string[]>;
  readonly health: Pick<HealthHistory, 'read'>;
  readonly incidents: Pick<PublicIncidents, 'read'>;
  readonly errorLinks?: ErrorLinks;
  readonly now: () => number;
}

/**
 * GET /health: whether the gateway can serve requests at this moment. GET /health/history: the parts of the service. GET
 * /health/incidents and /health/incidents.atom: what the operator wrote about them. The feed comes from the gateway,
 * because it is current there wherever the files of the site are served.
 */
export function healthRoute(api: Router, services: HealthServices): void {
  const mountGet = (path: string, operation: string, handle: RequestHandler) =>
    mount(api, path, [{ method: 'get', policy: { operation, caller: 'anyone' }, handle }], services);
  mountGet('/health', 'health', current(services));
  mountGet('/health/history', 'healthHistory', history(services));
  mountGet('/health/incidents', 'serviceIncidents', incidents(services));
  mountGet('/health/incidents.atom', 'incidentFeed', incidentFeed(services));
}

const current =
  ({ unready, now }: HealthServices): RequestHandler =>
  async (_req, res) => {
    const [reason] = await unready();
    if (reason !== undefined) throw new ApiError('SERVICE_UNAVAILABLE', { reason, retryAfterSeconds: 1 });
    res.json({
      success: true,
      data: {
        message: `${brand.name} is running`,
        timestamp: isoTime(now()),
        version: openapi.info.version,
        service: brand.serviceName,
      },
      requestId: res.locals.requestId,
    });
  };

const history =
  ({ health, now }: HealthServices): RequestHandler =>
  async (_req, res) => {
    const components = await health.read();
    forEverybody(res);
    res.json({
      success: true,
      data: { timestamp: isoTime(now()), components },
      requestId: res.locals.requestId,
    });
  };

function incidents({ incidents, now }: HealthServices): RequestHandler {
  const viewsOf = onceForEach((known: KnownIncidents) => {
    const time = now();
    return {
      readAt: isoTime(known.readAt),
      incidents: known.incidents.map((incident) => viewOf(incident, time)),
    };
  });
  return (_req, res) => {
    const known = incidents.read();
    forEverybody(res);
    res.json({
      success: true,
      data: { timestamp: isoTime(now()), ...(known && viewsOf(known)) },
      requestId: res.locals.requestId,
    });
  };
}

/** Readers of feeds keep what they have while there is no response, and would drop it for an empty feed. */
function incidentFeed({ incidents, errorLinks, now }: HealthServices): RequestHandler {
  const page = `${errorLinks?.siteUrl ?? ''}/status`;
  const feedFor = onceForEach((known: KnownIncidents) => feedOf(known.incidents, now(), page));
  return (_req, res) => {
    const known = incidents.read();
    if (!known) {
      const { readSeconds } = limits.incidents;
      throw new ApiError('SERVICE_UNAVAILABLE', { reason: 'store', retryAfterSeconds: readSeconds });
    }
    forEverybody(res);
    res.type(feedType).send(feedFor(known));
  };
}

/** Keeps the result for the last source, because anyone may call as often as they like. */
function onceForEach<Source, Value>(compute: (source: Source) => Value): (source: Source) => Value {
  let last: { readonly source: Source; readonly value: Value } | undefined;
  return (source) => {
    if (last?.source !== source) last = { source, value: compute(source) };
    return last.value;
  };
}

/** The response is the same for everybody, so that pages of every origin may read it and caches may keep it. */
function forEverybody(res: Response): void {
  res.set('Access-Control-Allow-Origin', '*');
  res.set('Cache-Control', `public, max-age=${limits.health.maxAgeSeconds}`);
}
