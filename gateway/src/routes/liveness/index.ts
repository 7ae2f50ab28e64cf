/** Liveness sessions: operations for the account's backend, and for the user's browser or app. */
import type { Router } from 'express';
import type { ManagementServices } from '../management';
import { mount } from '../route';
import { beginAttempt } from './begin-attempt';
import { cancelSession } from './cancel-session';
import { completeAttempt } from './complete-attempt';
import { type CreateServices, createSession } from './create-session';
import { deleteSession } from './delete-session';
import { getAuditImage } from './get-audit-image';
import { getSession } from './get-session';
import { leaveSession } from './leave-session';
import { listSessions } from './list-sessions';
import { sendFrame } from './send-frame';
import { startSession } from './start-session';

/** Only the operation that creates a session. */
export function creationRoute(api: Router, services: CreateServices): void {
  mount(api, '/liveness', [createSession(services)], services);
}

export function livenessRoute(api: Router, services: CreateServices & ManagementServices): void {
  const session = '/liveness/:sessionId';
  const attempt = `${session}/attempts/:attemptId`;
  mount(api, '/liveness', [createSession(services), listSessions(services)], services);
  mount(api, session, [getSession(services), deleteSession(services)], services);
  mount(api, `${session}/audit-image`, [getAuditImage(services)], services);
  mount(api, `${session}/start`, [startSession(services)], services);
  mount(api, `${session}/cancel`, [cancelSession(services)], services);
  mount(api, `${session}/leave`, [leaveSession(services)], services);
  mount(api, `${session}/attempts`, [beginAttempt(services)], services);
  mount(api, `${attempt}/frames`, [sendFrame(services)], services);
  mount(api, `${attempt}/complete`, [completeAttempt(services)], services);
}
