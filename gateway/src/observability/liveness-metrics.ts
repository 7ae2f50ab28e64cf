/** Metrics of liveness sessions. No label names an account, a session, a device or an address. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Keeping } from '../services/liveness/audit/audit-images';
import type { CaptureObserver } from '../services/liveness/capture/capture';
import type { FinalStatus } from '../services/liveness/session/states';
import type { CheckObserver } from '../services/liveness/verdict/checks';

export interface LivenessMetrics extends CaptureObserver, CheckObserver {
  ended(outcome: FinalStatus): void;
  auditImage(outcome: Keeping | 'failed'): void;
}

/** The inference tier takes seconds per verdict. A bucket must end at its target of 3 s. */
const buckets = [0.2, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20];

export function livenessMetrics(registry: Registry): LivenessMetrics {
  const registers = [registry];
  const sessions = new Counter({
    name: 'presenza_gateway_liveness_sessions_total',
    help: 'Ended liveness sessions by outcome: completed and failed (not as requested by a test), cancelled, expired.',
    labelNames: ['outcome'],
    registers,
  });
  const verdicts = new Histogram({
    name: 'presenza_gateway_liveness_verdict_seconds',
    help: 'Time from the end of a capture to its verdict by outcome: completed, failed, retry (attempts are left).',
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  const frames = new Counter({
    name: 'presenza_gateway_liveness_frames_total',
    help: 'Accepted frames by the guidance shown to the user; unseen: the inference tier had no capacity.',
    labelNames: ['guidance'],
    registers,
  });
  const refused = new Counter({
    name: 'presenza_gateway_liveness_frames_refused_total',
    help: 'Frames refused for their nonce or signature by reason: repeated, stale, foreign, signature.',
    labelNames: ['reason'],
    registers,
  });
  const auditImages = new Counter({
    name: 'presenza_gateway_liveness_audit_images_total',
    help: 'Audit images by outcome: kept, full (the account has no room), late (another check kept it), failed.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    auditImage: (outcome) => auditImages.inc({ outcome }),
    ended: (outcome) => sessions.inc({ outcome }),
    judged: (outcome, ms) => verdicts.observe({ outcome }, ms / 1e3),
    guided: (guidance) => frames.inc({ guidance }),
    refused: (reason) => refused.inc({ reason }),
  };
}
