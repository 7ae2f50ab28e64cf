/** Liveness sessions: what the account's backend calls, and what the person's browser or app does. */
import openapi from '@presenza/contract/openapi.json';
import type { Router } from 'express';
import { startView } from '../../services/liveness/views';
import { captureRoutes } from './capture';
import { type CreateServices, createRoute } from './create';
import { sessionRoute } from './session';
import { sessionCall } from './session-call';

const { paths } = openapi;

export function livenessRoute(api: Router, services: CreateServices): void {
  createRoute(api, services);
  sessionRoute(api, services);
  sessionCall(
    api,
    {
      path: '/liveness/:sessionId/start',
      name: 'startLivenessSession',
      maxBodyBytes: paths['/liveness/{sessionId}/start'].post['x-max-body-bytes'],
      body: { schema: 'empty-request.json' },
      run: async (address) => startView(await services.liveness.sessions.start(address)),
    },
    services,
  );
  sessionCall(
    api,
    {
      path: '/liveness/:sessionId/cancel',
      name: 'cancelLivenessSession',
      maxBodyBytes: paths['/liveness/{sessionId}/cancel'].post['x-max-body-bytes'],
      body: { schema: 'empty-request.json' },
      run: async (address) => {
        const { session } = await services.liveness.sessions.cancel(address);
        return { status: session.status };
      },
    },
    services,
  );
  captureRoutes(api, services);
}
