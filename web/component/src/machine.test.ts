import texts from '../../content/verify/en.json';
import type { Camera, CameraProblem } from './camera';
import {
  type Event,
  type Help,
  INITIAL,
  isHeld,
  isLockedOut,
  LAST,
  mayLeave,
  needsKeepAlive,
  type Pause,
  reduce,
  type State,
  type View,
} from './machine';
import { messageName } from './message-name';
import type { Attempt, FinalStatus, Guidance, Hint, Movement } from './wire';

const camera: Camera = { stream: {} as MediaStream };
const attempt: Attempt = {
  attemptId: 'att_Rk3VtX8mQz1LwYc6NpSd',
  steps: 4,
  step: { index: 0, movement: 'centre' },
  nonces: ['n0', 'n1', 'n2'],
  frameIntervalMs: 200,
  maxFrameBytes: 1000,
  timeoutSeconds: 40,
};
const session = {
  attemptsLeft: 3,
  expiresAt: 1000,
  retentionSeconds: 60,
  branding: undefined,
  returnUrl: undefined,
  hasReference: false,
  controller: undefined,
  alternative: undefined,
  movesDevice: false,
};
const capturing: View = {
  at: 'capturing',
  camera,
  attempt,
  guidance: 'ok',
  step: attempt.step,
  progress: 0,
};

/** All views, and their cases that have texts of their own. */
const VIEWS: View[] = [
  { at: 'opening' },
  { at: 'opening', isStalled: true },
  { at: 'consent' },
  { at: 'handover', back: { at: 'consent' }, checking: false },
  { at: 'stillness', back: { at: 'consent' } },
  { at: 'otherWays', back: { at: 'paused', why: 'stopped' } },
  { at: 'askingCamera' },
  { at: 'askingCamera', isOpen: true },
  ...(['denied', 'dismissed', 'none', 'inUse', 'failed'] satisfies CameraProblem[]).map(
    (problem) => ({ at: 'cameraProblem', problem }) as const,
  ),
  { at: 'beginning', camera },
  capturing,
  ...(
    ['hidden', 'rotated', 'cameraEnded', 'timeout', 'connection', 'stopped', 'replaced'] satisfies Pause[]
  ).map((why) => ({ at: 'paused', why }) as const),
  { at: 'judging', attemptId: attempt.attemptId },
  { at: 'judging' },
  ...(['lighting', 'movement', 'oneFace', 'retry', 'noFace', 'tooFar', 'tooDark'] satisfies Hint[]).map(
    (hint) => ({ at: 'retry', hint }) as const,
  ),
  { at: 'locked', until: 5 },
  { at: 'leaveAsked', back: { at: 'consent' } },
  { at: 'leaving' },
  { at: 'redirecting', url: 'https://example.com/' },
  ...(['completed', 'failed', 'cancelled', 'expired'] satisfies FinalStatus[]).map(
    (status) => ({ at: 'ended', status }) as const,
  ),
  ...(
    [
      'linkInvalid',
      'unsupported',
      'insecure',
      'originNotAllowed',
      'otherDevice',
      'usedUp',
      'unknown',
    ] as const
  ).map((why) => ({ at: 'blocked', why }) as const),
];

const EVENTS: Record<Event['type'], Event> = {
  blocked: { type: 'blocked', why: 'unknown', requestId: 'req_1' },
  opened: { type: 'opened', session, status: 'started', redirectUrl: undefined, refusesDevice: false },
  consented: { type: 'consented' },
  cameraOpened: { type: 'cameraOpened' },
  cameraReady: { type: 'cameraReady', camera },
  cameraFailed: { type: 'cameraFailed', problem: 'denied' },
  begun: { type: 'begun', attempt },
  progressed: {
    type: 'progressed',
    guidance: 'tooFar',
    step: { index: 1, movement: 'left' },
    progress: 0.5,
  },
  stuck: { type: 'stuck', guidance: 'tooDark' },
  captured: { type: 'captured' },
  interrupted: { type: 'interrupted', why: 'hidden' },
  restarted: { type: 'restarted' },
  judged: { type: 'judged', status: 'started', attemptsLeft: 2, hint: 'lighting' },
  locked: { type: 'locked', until: 7 },
  ended: { type: 'ended', status: 'expired' },
  handoverAsked: { type: 'handoverAsked' },
  followed: { type: 'followed', status: 'checking' },
  stillnessAsked: { type: 'stillnessAsked' },
  otherWaysAsked: { type: 'otherWaysAsked' },
  deviceChosen: { type: 'deviceChosen' },
  backAsked: { type: 'backAsked' },
  leaveAsked: { type: 'leaveAsked' },
  leaveDeclined: { type: 'leaveDeclined' },
  leaveConfirmed: { type: 'leaveConfirmed' },
  troubled: { type: 'troubled', trouble: 'offline' },
  stalled: { type: 'stalled' },
};

/** Ways to another device, or without a movement of the head. */
const otherWays = {
  handoverAsked: 'handover',
  stillnessAsked: 'stillness',
  otherWaysAsked: 'otherWays',
} as const;

/** The transitions. All other events leave the view unchanged. */
const WAYS: Partial<Record<View['at'], Partial<Record<Event['type'], View['at']>>>> = {
  opening: { opened: 'consent', stalled: 'opening' },
  consent: {
    consented: 'askingCamera',
    handoverAsked: 'handover',
    stillnessAsked: 'stillness',
    leaveAsked: 'leaveAsked',
  },
  handover: { followed: 'handover', backAsked: 'consent', leaveAsked: 'leaveAsked' },
  stillness: { deviceChosen: 'consent', backAsked: 'consent', leaveAsked: 'leaveAsked' },
  otherWays: {
    deviceChosen: 'askingCamera',
    handoverAsked: 'handover',
    backAsked: 'paused',
    leaveAsked: 'leaveAsked',
  },
  askingCamera: {
    cameraOpened: 'askingCamera',
    cameraReady: 'beginning',
    cameraFailed: 'cameraProblem',
    leaveAsked: 'leaveAsked',
  },
  cameraProblem: { restarted: 'askingCamera', handoverAsked: 'handover', leaveAsked: 'leaveAsked' },
  beginning: {
    begun: 'capturing',
    interrupted: 'paused',
    locked: 'locked',
    ...otherWays,
    leaveAsked: 'leaveAsked',
    stalled: 'beginning',
  },
  capturing: {
    progressed: 'capturing',
    stuck: 'capturing',
    captured: 'judging',
    interrupted: 'paused',
    locked: 'locked',
    ...otherWays,
    leaveAsked: 'leaveAsked',
  },
  paused: { restarted: 'askingCamera', ...otherWays, leaveAsked: 'leaveAsked' },
  judging: { judged: 'retry', interrupted: 'paused', locked: 'locked' },
  retry: { restarted: 'askingCamera', ...otherWays, leaveAsked: 'leaveAsked' },
  locked: { restarted: 'askingCamera', leaveAsked: 'leaveAsked' },
  leaveAsked: { leaveDeclined: 'consent', leaveConfirmed: 'leaving' },
};

const stateAt = (view: View): State => ({ view, session, trouble: null });
const CASES = VIEWS.flatMap((view) =>
  Object.values(EVENTS)
    .filter(({ type }) => type !== 'troubled')
    .map((event) => [messageName(view), event.type, view, event] as const),
);

test.each(CASES)('%s, %s', (_name, type, view, event) => {
  const before = stateAt(view);
  const after = reduce(before, event);
  const last = LAST.includes(view.at);
  const anywhere = !last && (type === 'blocked' || type === 'ended') ? type : undefined;
  const continues = messageName(view) === 'blocked.otherDevice' && type === 'handoverAsked';
  const ends = ['blocked.usedUp', 'blocked.unknown'].includes(messageName(view)) && type === 'ended';
  const expected = continues ? 'handover' : ends ? 'ended' : (anywhere ?? WAYS[view.at]?.[type]);
  if (expected) expect(after.view.at).toBe(expected);
  else expect(after).toBe(before);
});

test('the page starts by opening the session', () => {
  expect(INITIAL).toEqual({ view: { at: 'opening' }, session: null, trouble: null });
});

test.each([
  [{ status: 'started', redirectUrl: undefined } as const, { at: 'consent' }],
  [{ status: 'checking', redirectUrl: undefined } as const, { at: 'judging' }],
  [{ status: 'cancelled', redirectUrl: undefined } as const, { at: 'ended', status: 'cancelled' }],
  [
    { status: 'started', redirectUrl: 'https://example.com/' } as const,
    { at: 'redirecting', url: 'https://example.com/' },
  ],
  [
    { status: 'started', redirectUrl: undefined, refusesDevice: true } as const,
    { at: 'blocked', why: 'otherDevice' },
  ],
  [
    { status: 'completed', redirectUrl: undefined, refusesDevice: true } as const,
    { at: 'ended', status: 'completed' },
  ],
])('a session opened as %j', (opened, view) => {
  const { view: actual, session: known } = reduce(INITIAL, {
    ...EVENTS.opened,
    ...opened,
  } as Event);
  expect(actual).toEqual(view);
  expect(known).toBe(session);
});

describe('a verdict', () => {
  const judging = stateAt({ at: 'judging', attemptId: attempt.attemptId });

  test.each(['completed', 'failed', 'cancelled', 'expired'] as const)('%s ends the session', (status) => {
    expect(reduce(judging, { type: 'judged', status }).view).toEqual({ at: 'ended', status });
  });

  test('that is pending changes nothing', () => {
    expect(reduce(judging, { type: 'judged', status: 'checking' })).toBe(judging);
  });

  test('keeps the hint and the remaining attempts', () => {
    const after = reduce(judging, EVENTS.judged);
    expect(after.view).toEqual({ at: 'retry', hint: 'lighting' });
    expect(after.session).toEqual({ ...session, attemptsLeft: 2 });
  });

  test('without a hint suggests a retry', () => {
    expect(reduce(judging, { type: 'judged', status: 'started' }).view).toEqual({
      at: 'retry',
      hint: 'retry',
    });
  });

  test('may contain the return address', () => {
    const after = reduce(judging, {
      type: 'judged',
      status: 'completed',
      returnUrl: 'https://example.com/done',
    });
    expect(after.session?.returnUrl).toBe('https://example.com/done');
  });
});

test('a capture shows the latest response', () => {
  expect(reduce(stateAt(capturing), EVENTS.progressed).view).toEqual({
    ...capturing,
    guidance: 'tooFar',
    step: { index: 1, movement: 'left' },
    progress: 0.5,
  });
});

test.each(VIEWS.filter(mayLeave).map((view) => [messageName(view), view] as const))(
  'after declining to leave, the person returns to %s, or to the start of a capture',
  (_name, view) => {
    const asked = reduce(stateAt(view), { type: 'leaveAsked' });
    const stayed = reduce(asked, { type: 'leaveDeclined' }).view;
    const captures = ['askingCamera', 'beginning', 'capturing'].includes(view.at);
    expect(stayed).toEqual(captures ? { at: 'paused', why: 'stopped' } : view);
  },
);

test('a session that continues on a phone is followed to its end, and this page keeps it open until it closes', () => {
  const waiting = reduce(stateAt({ at: 'consent' }), { type: 'handoverAsked' });
  const before = stateAt({ at: 'consent' });
  expect([isHeld(before), needsKeepAlive(before)]).toEqual([true, true]);
  // Otherwise the session would end seconds after the person closed the link on the phone.
  expect([isHeld(waiting), needsKeepAlive(waiting)]).toEqual([false, true]);
  expect(reduce(waiting, { type: 'followed', status: 'started' })).toBe(waiting);
  const checking = reduce(waiting, { type: 'followed', status: 'checking' });
  expect(checking.view).toEqual({ at: 'handover', back: { at: 'consent' }, checking: true });
  const returnUrl = 'https://example.com/named-at-the-end';
  expect(reduce(checking, { type: 'followed', status: 'failed', returnUrl }).view).toEqual({
    at: 'ended',
    status: 'failed',
    returnUrl,
  });
});

test('a person who cannot turn the head begins the capture again and moves the device', () => {
  const asked = reduce(stateAt(capturing), { type: 'stillnessAsked' });
  expect(reduce(asked, { type: 'backAsked' }).view).toEqual({ at: 'paused', why: 'stopped' });
  const chosen = reduce(asked, { type: 'deviceChosen' });
  expect(chosen.view).toEqual({ at: 'askingCamera' });
  expect(chosen.session?.movesDevice).toBe(true);
});

test('a lock-out that is longer than the session leads away from it', () => {
  const locked = (until: number) => isLockedOut(stateAt({ at: 'locked', until }));
  expect([locked(session.expiresAt - 1), locked(session.expiresAt)]).toEqual([false, true]);
  expect(isLockedOut({ ...stateAt({ at: 'locked', until: Infinity }), session: null })).toBe(false);
});

test.each([
  ['usedUp', true],
  ['unknown', true],
  ['otherDevice', false],
  ['linkInvalid', false],
] as const)('whether a page that is blocked as %s leaves the session when it closes: %s', (why, leaves) => {
  const blocked = stateAt({ at: 'blocked', why });
  expect([isHeld(blocked), needsKeepAlive(blocked)]).toEqual([leaves, leaves]);
  expect(isHeld({ ...blocked, session: null })).toBe(false);
});

test('an attempt that was replaced before its verdict can be restarted', () => {
  const judging = stateAt({ at: 'judging', attemptId: attempt.attemptId });
  const replaced = reduce(judging, { type: 'interrupted', why: 'replaced' });
  expect(replaced.view).toEqual({ at: 'paused', why: 'replaced' });
  expect(reduce(replaced, { type: 'restarted' }).view).toEqual({ at: 'askingCamera' });
});

test('trouble stays while its view changes within itself', () => {
  const troubled = reduce(stateAt(capturing), { type: 'troubled', trouble: 'busy' });
  expect(reduce(troubled, { type: 'stuck', guidance: 'ok' }).trouble).toBe('busy');
  const opening: State = { ...INITIAL, trouble: 'offline' };
  expect(reduce(opening, { type: 'stalled' })).toEqual({
    ...opening,
    view: { at: 'opening', isStalled: true },
  });
});

test('trouble is shown in its view and cleared by the next one', () => {
  const troubled = reduce(stateAt(capturing), { type: 'troubled', trouble: 'offline' });
  expect(troubled).toEqual({ ...stateAt(capturing), trouble: 'offline' });
  expect(reduce(troubled, { type: 'troubled', trouble: 'offline' })).toBe(troubled);
  expect(reduce(troubled, { type: 'troubled', trouble: null }).trouble).toBeNull();
  expect(reduce(troubled, { type: 'captured' }).trouble).toBeNull();
});

describe('a person who does not get on', () => {
  const stuckAt = (guidance: Guidance) => reduce(stateAt(capturing), { type: 'stuck', guidance });
  const progressedTo = (index: number, state: State) =>
    reduce(state, {
      type: 'progressed',
      guidance: 'ok',
      step: { index, movement: index === 0 ? 'centre' : 'left' },
      progress: 0,
    }).view;

  test.each([
    ['tooDark', 'tooDark'],
    ['noFace', 'noFace'],
    ['ok', 'movement'],
    ['turned', 'movement'],
    ['turnFurther', 'movement'],
  ] as const)('at the guidance %s is offered help with %s', (guidance, help) => {
    expect(stuckAt(guidance).view).toEqual({ ...capturing, help });
  });

  test('is offered it until the next prompt', () => {
    expect(progressedTo(0, stuckAt('tooDark'))).toMatchObject({ help: 'tooDark' });
    expect(progressedTo(1, stuckAt('tooDark'))).not.toHaveProperty('help');
  });

  test('is offered it after the time has run out, too', () => {
    const paused = (why: Pause) => reduce(stuckAt('tooFar'), { type: 'interrupted', why }).view;
    expect(paused('timeout')).toEqual({ at: 'paused', why: 'timeout', help: 'tooFar' });
    expect(paused('hidden')).toEqual({ at: 'paused', why: 'hidden' });
  });

  test('may continue on a phone, and come back to the start of the capture', () => {
    const phone = reduce(stuckAt('tooDark'), { type: 'handoverAsked' });
    expect(reduce(phone, { type: 'backAsked' }).view).toEqual({ at: 'paused', why: 'stopped' });
  });
});

describe('content/verify/en.json', () => {
  const others = ['consent', 'handover', 'stillness', 'otherWays', 'beginning', 'capturing'];
  const withMessage = VIEWS.filter(({ at }) => !others.includes(at));

  test('has exactly one message for each view', () => {
    const names = texts.messages.map(({ name }) => name);
    const needed = new Set(['lockedOut', ...withMessage.map(messageName)]);
    expect([...names].sort()).toEqual([...needed].sort());
  });

  test('has a button wherever the person can continue', () => {
    const leads = withMessage.filter(({ at }) =>
      Object.values(WAYS[at] ?? {}).some((to) => to === 'askingCamera' || to === 'leaving'),
    );
    for (const view of leads.filter(({ at }) => at !== 'askingCamera')) {
      const message = texts.messages.find(({ name }) => name === messageName(view));
      expect([message?.name, message?.action]).toEqual([messageName(view), expect.any(String)]);
    }
  });

  test('has a text for every movement and every guidance', () => {
    const movements = { centre: 0, left: 0, right: 0, up: 0, down: 0 } satisfies Record<Movement, 0>;
    const guidance = {
      noFace: 0,
      severalFaces: 0,
      tooFar: 0,
      tooClose: 0,
      offCentre: 0,
      tooDark: 0,
      tooBright: 0,
      turned: 0,
      turnFurther: 0,
    } satisfies Record<Exclude<Guidance, 'ok'>, 0>;
    for (const entries of [texts.movements, texts.deviceMovements])
      expect(entries.map(({ name }) => name)).toEqual(Object.keys(movements));
    expect(texts.guidance.map(({ name }) => name)).toEqual(Object.keys(guidance));
  });

  test('has a tip for every kind of help', () => {
    const tips = {
      noFace: 0,
      severalFaces: 0,
      tooFar: 0,
      tooClose: 0,
      offCentre: 0,
      tooDark: 0,
      tooBright: 0,
      movement: 0,
      deviceMovement: 0,
    } satisfies Record<Help | 'deviceMovement', 0>;
    expect(texts.help.tips.map(({ name }) => name)).toEqual(Object.keys(tips));
  });
});
