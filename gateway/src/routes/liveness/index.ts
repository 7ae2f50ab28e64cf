/** Liveness sessions: what the account's backend calls, and what the person's browser or app does. */
import openapi from '@presenza/contract/openapi.json';
import type { Router } from 'express';
import { startView } from '../../services/liveness/session/views';
import { captureRoutes } from './capture';
import { type CreateServices, createRoute } from './create';
import { sessionRoute } from './session';
import { optionalJson, type SessionCall, sessionCall } from './session-call';

const { paths } = openapi;

export function livenessRoute(api: Router, services: CreateServices): void {
  const { liveness } = services;
  createRoute(api, services);
  sessionRoute(api, services);
  const calls: readonly SessionCall[] = [
    {
      path: '/liveness/:sessionId/start',
      name: 'startLivenessSession',
      body: emptyBody(paths['/liveness/{sessionId}/start'].post['x-max-body-bytes']),
      run: async (address) => startView(await liveness.sessions.start(address)),
    },
    {
      path: '/liveness/:sessionId/cancel',
      name: 'cancelLivenessSession',
      body: emptyBody(paths['/liveness/{sessionId}/cancel'].post['x-max-body-bytes']),
      run: async (address) => ({ status: (await liveness.sessions.cancel(address)).session.status }),
    },
    {
      path: '/liveness/:sessionId/leave',
      name: 'leaveLivenessSession',
      body: emptyBody(paths['/liveness/{sessionId}/leave'].post['x-max-body-bytes']),
      run: async (address) => ({ status: (await liveness.sessions.leave(address)).status }),
    },
  ];
  for (const call of calls) sessionCall(api, call, services);
  captureRoutes(api, services);
}

const emptyBody = (maxBytes: number) => optionalJson(maxBytes, 'empty-request.json');
