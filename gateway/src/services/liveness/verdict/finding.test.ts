import { genuineEvidence } from '../../../../test/liveness/genuine-evidence';
import type { FramesRequest } from '../../inference/inference-client';
import type { AttemptRecord, CaptureState } from '../capture/capture-store';
import type { Evidence } from '../capture/evidence';
import { SealedAttempt } from '../capture/sealed-attempt';
import { beginning } from '../capture/steps';
import { DataKey } from '../session/data-key';
import type { Session } from '../session/session';
import { type PolicyRequest, policyOf } from '../session/session-policy';
import { findingOf } from './finding';
import type { Policy } from './policy';

const light = { colors: ['#ffb040', '#40a0ff'], shownMs: { 1: 200, 3: 700 } };

/** A check of an attempt with two selected frames, and what its parts were asked. */
async function check(
  wanted: PolicyRequest,
  change: Partial<CaptureState> = {},
  reasons: readonly 'flat'[] = [],
) {
  const session = { id: 'ses_1', key: DataKey.create(), policy: policyOf(wanted) } as Session;
  const sealed = new SealedAttempt(session, 'att_1');
  const state = {
    progress: { ...beginning, step: 2 },
    guidance: 'ok',
    kept: [[1], [3]],
    unseen: 0,
    ...change,
  };
  const image = Buffer.from('an image');
  const record: AttemptRecord = {
    movements: ['centre', 'left'],
    state: sealed.sealState(state as CaptureState),
    camera: sealed.sealCamera({}),
    arrivals: [
      { number: 1, timeMs: 300, step: 0 },
      { number: 2, timeMs: 500, step: 0 },
      { number: 3, timeMs: 900, step: 1 },
    ],
    refused: { repeated: 0, stale: 0, foreign: 0, signature: 0 },
    frames: new Map([1, 3].map((number) => [number, sealed.sealFrame(number, image)])),
  };
  const asked: { request?: FramesRequest; evidence?: Evidence; policy?: Policy } = {};
  const attempt = { attemptId: 'att_1', record, reference: undefined };
  const finding = await findingOf(session, attempt, {
    measure: async (request) => {
      asked.request = request;
      return genuineEvidence().signals;
    },
    findReuse: async () => ({ identical: 0, alike: 0 }),
    judge: (evidence, policy) => {
      Object.assign(asked, { evidence, policy });
      return { isLive: reasons.length === 0, confidence: 0.97, reasons };
    },
  });
  return { finding, ...asked };
}

test('an attempt is judged by the policy of its session', async () => {
  const { policy } = await check({ minConfidence: 0.8, virtualCameras: 'refuse' });
  expect(policy).toEqual({
    level: 'standard',
    minConfidence: 0.8,
    refuseVirtualCamera: true,
    requireLight: false,
  });
});

test('the tier measures the colors under which the selected frames were taken', async () => {
  const { request } = await check({ lightChallenge: 'required' }, { light });
  expect(request?.light).toEqual({
    colors: [
      [255, 176, 64],
      [64, 160, 255],
    ],
    shown: [
      { index: 0, sinceMs: 200 },
      { index: 1, sinceMs: 100 },
    ],
  });
  expect((await check({})).request?.light).toBeUndefined();
});

test('the evidence names every frame in which the guidance saw no face', async () => {
  expect((await check({}, { faceless: [2] })).evidence?.frames.faceless).toEqual([1]);
  expect((await check({})).evidence?.frames.faceless).toEqual([]);
});

test('only a failed attempt has a hint for the user and a reason for the account', async () => {
  expect((await check({})).finding).not.toHaveProperty('failureReason');
  const { finding } = await check({}, {}, ['flat']);
  expect(finding).toMatchObject({ hint: 'retry', failureReason: 'spoofSuspected' });
  const dark = await check({}, { progress: beginning, guidance: 'tooDark' });
  expect(dark.finding).toMatchObject({ hint: 'tooDark', failureReason: 'light' });
  expect(dark.request).toBeUndefined();
});
