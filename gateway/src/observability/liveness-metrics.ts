/** Metrics of liveness sessions. No label names an account, a session, a device or an address. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { CaptureObserver } from '../services/liveness/capture/capture';
import type { FinalStatus } from '../services/liveness/session/states';
import type { CheckObserver } from '../services/liveness/verdict/checks';

export interface LivenessMetrics extends CaptureObserver, CheckObserver {
  /** A session has ended. */
  ended(outcome: FinalStatus): void;
}

/** Judging takes the inference tier seconds of work. 3 s is its target, which a bucket has to end at. */
const buckets = [0.2, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20];

export function livenessMetrics(registry: Registry): LivenessMetrics {
  const registers = [registry];
  const sessions = new Counter({
    name: 'presenza_gateway_liveness_sessions_total',
    help: 'Liveness sessions that have ended, by outcome: completed, failed, cancelled, expired.',
    labelNames: ['outcome'],
    registers,
  });
  const verdicts = new Histogram({
    name: 'presenza_gateway_liveness_verdict_seconds',
    help: 'Time from a capture to its verdict, by outcome: completed, failed, retry (attempts are left).',
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  const frames = new Counter({
    name: 'presenza_gateway_liveness_frames_total',
    help: 'Frames taken, by what the person was told; unseen: the inference tier had no time to look.',
    labelNames: ['guidance'],
    registers,
  });
  const refused = new Counter({
    name: 'presenza_gateway_liveness_frames_refused_total',
    help: 'Frames refused for their nonce, by reason: repeated, stale, foreign.',
    labelNames: ['reason'],
    registers,
  });
  return {
    ended: (outcome) => sessions.inc({ outcome }),
    judged: (outcome, ms) => verdicts.observe({ outcome }, ms / 1e3),
    guided: (guidance) => frames.inc({ guidance }),
    refused: (reason) => refused.inc({ reason }),
  };
}
