/** Liveness sessions: what the account's backend calls, and what the person's browser or app does. */
import openapi from '@presenza/contract/openapi.json';
import type { Router } from 'express';
import { startView } from '../../services/liveness/session/views';
import { captureRoutes } from './capture';
import { type CreateServices, createRoute } from './create';
import { sessionRoute } from './session';
import { type SessionCall, sessionCall } from './session-call';

const { paths } = openapi;

export function livenessRoute(api: Router, services: CreateServices): void {
  const { liveness } = services;
  createRoute(api, services);
  sessionRoute(api, services);
  const calls: readonly Omit<SessionCall, 'body'>[] = [
    {
      path: '/liveness/:sessionId/start',
      name: 'startLivenessSession',
      maxBodyBytes: paths['/liveness/{sessionId}/start'].post['x-max-body-bytes'],
      run: async (address) => startView(await liveness.sessions.start(address)),
    },
    {
      path: '/liveness/:sessionId/cancel',
      name: 'cancelLivenessSession',
      maxBodyBytes: paths['/liveness/{sessionId}/cancel'].post['x-max-body-bytes'],
      run: async (address) => ({ status: (await liveness.sessions.cancel(address)).session.status }),
    },
    {
      path: '/liveness/:sessionId/leave',
      name: 'leaveLivenessSession',
      maxBodyBytes: paths['/liveness/{sessionId}/leave'].post['x-max-body-bytes'],
      run: async (address) => ({ status: (await liveness.sessions.leave(address)).status }),
    },
  ];
  for (const call of calls) sessionCall(api, { ...call, body: { schema: 'empty-request.json' } }, services);
  captureRoutes(api, services);
}
