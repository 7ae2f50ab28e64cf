import {
  evidenceWith,
  genuineEvidence,
  type MutableEvidence,
} from '../../../../test/liveness/genuine-evidence';
import type { Evidence } from '../capture/evidence';
import { fullConfidence } from '../session/session';
import { failureReasonOf } from './failure-reasons';
import { measure } from './measurements';
import { type Policy, policies } from './policy';
import { type RefusalName, refusals, type SignName, signs } from './rules';
import * as verdicts from './verdict';

const judge = (evidence: Evidence, policy = policies.standard) => verdicts.judge(evidence, policy);

type Change = (evidence: MutableEvidence) => void;
type Frame = MutableEvidence['signals']['frames'][number];

const challenge = (evidence: MutableEvidence, i: number) =>
  evidence.signals.motion.challenges[i] as MutableEvidence['signals']['motion']['challenges'][number];
const planarity = (evidence: MutableEvidence) =>
  evidence.signals.planarity as NonNullable<MutableEvidence['signals']['planarity']>;
/** Changes the frames from one position up to another. */
const frames =
  (from: number, to: number, change: (frame: Frame & { ok: true }) => void): Change =>
  ({ signals }) => {
    for (const frame of signals.frames.slice(from, to)) if (frame.ok) change(frame);
  };

test('passes evidence without any suspicion, with the highest confidence that a policy may ask for', () => {
  const verdict = judge(genuineEvidence(), { ...policies.standard, minConfidence: 0.97 });
  expect(verdict).toMatchObject({ isLive: true, confidence: 0.97, reasons: [] });
});

/** A change that breaks each rule of the policy `standard`, and a similar one that does not. */
const broken: Readonly<
  Record<Exclude<RefusalName, OptionalName>, readonly [breaks: Change, allowed: Change]>
> = {
  tooFewFrames: [frames(0, 8, hide), frames(2, 5, hide)],
  gapInTime: [late(3100), late(2700)],
  foreignNonces: [
    ({ frames: { refused } }) => {
      refused.foreign = 1;
    },
    () => {},
  ],
  repeatedNonces: [refuse(3, 3), refuse(2, 3)],
  repeatedImages: [duplicates(14), duplicates(13)],
  unreadable: [unreadable(5), unreadable(4)],
  severalFaces: [frames(10, 13, second), frames(10, 12, second)],
  faceAway: [
    away(20, 27, { unlikeTo: 30 }),
    // The same face comes back after a second.
    away(20, 27),
  ],
  otherPerson: [
    frames(21, 22, ({ face }) => {
      if (face) face.similarity.toBest = 0.5;
    }),
    // Turned faces are less like a frontal one.
    frames(15, 16, ({ face }) => {
      if (face) face.similarity.toBest = 0.5;
    }),
  ],
  missedTurn: [miss(1), () => {}],
  unaskedTurn: [
    (evidence) => {
      challenge(evidence, 2).strays = ['down'];
    },
    () => {},
  ],
  tooFast: [latency(190), latency(210)],
  foreknown: [latencies(340), latencies(360)],
  hurried: [duration(2440), duration(2460)],
  reusedFrames: [reuse({ identical: 0, alike: 2 }), reuse({ identical: 2, alike: 1 })],
  flat: [parallax(0.19), parallax(0.21)],
  noDepth: [
    ({ signals }) => {
      Object.assign(signals, { planarity: null, foreshortening: null });
    },
    ({ signals }) => {
      Object.assign(signals, { planarity: null });
    },
  ],
  squeezed: [width(0.92), width(0.94)],
  smeared: [smear(0.1), smear(-0.1)],
  screen: [screen(0.4), screen(0.38)],
  sideUnseen: [
    ({ signals }) => {
      signals.smear = null;
    },
    ({ signals }) => {
      signals.smear = { logOdds: -3, frames: 1 };
    },
  ],
};

/** Rules that only some policies have, each with a policy that adds nothing else. */
type OptionalName = 'virtualCamera' | 'noLight' | 'unsigned' | 'scripted';
const optional: Readonly<
  Record<OptionalName, { readonly policy: Policy; readonly breaks: Change; readonly allowed: Change }>
> = {
  virtualCamera: {
    policy: { ...policies.standard, refuseVirtualCamera: true },
    breaks: label('OBS Virtual Camera'),
    allowed: label('FaceTime HD Camera'),
  },
  noLight: {
    policy: { ...policies.standard, requireLight: true },
    breaks: lit(0.55),
    allowed: lit(0.65),
  },
  unsigned: {
    policy: { ...policies.standard, level: 'strict' },
    breaks: transport({ isSigned: false }),
    allowed: () => {},
  },
  scripted: {
    policy: { ...policies.standard, level: 'strict' },
    breaks: transport({ clientFaults: ['origin'] }),
    allowed: () => {},
  },
};

function transport(change: Partial<MutableEvidence['transport']>): Change {
  return ({ transport }) => {
    Object.assign(transport, change);
  };
}

function label(text: string): Change {
  return ({ camera }) => {
    camera.label = text;
  };
}
function lit(correlation: number): Change {
  return ({ signals }) => {
    signals.light = { correlation, lagMs: 150, colors: 9 };
  };
}

function hide(frame: Frame & { ok: true }) {
  Object.assign(frame, { faceCount: 0, face: null });
}
/**
 * The face leaves.
 * @param unlikeTo the faces that come back up to this position are turned, and unlike that of the best frame
 */
function away(from: number, to: number, { unlikeTo = to } = {}): Change {
  return (evidence) => {
    frames(from, to, hide)(evidence);
    frames(to, unlikeTo, ({ face }) => {
      if (!face) return;
      face.pose.yaw = 30;
      face.similarity.toBest = 0.7;
    })(evidence);
  };
}
function second(frame: Frame & { ok: true }) {
  frame.faceCount = 2;
}
/** The head turns, but not far enough. */
function miss(i: number): Change {
  return (evidence) => {
    Object.assign(challenge(evidence, i), { reached: false, latencyMs: null });
  };
}
function late(ms: number): Change {
  return ({ frames: { arrivalsMs } }) => {
    for (let i = 30; i < arrivalsMs.length; i++) arrivalsMs[i] = (arrivalsMs[i] as number) + ms - 200;
  };
}
function refuse(repeated: number, stale: number): Change {
  return ({ frames: { refused } }) => {
    Object.assign(refused, { repeated, stale });
  };
}
function duplicates(count: number): Change {
  return ({ signals }) => {
    signals.duplicates = Array.from({ length: count }, (_, i) => i + 1);
  };
}
function unreadable(count: number): Change {
  return ({ signals }) => {
    for (let i = 0; i < count; i++) {
      // Consecutive frames would also be an absence.
      const { timeMs } = signals.frames[7 * i + 1] as Frame;
      signals.frames[7 * i + 1] = { timeMs, ok: false, code: 'INVALID_IMAGE', reason: 'corrupt', values: {} };
    }
  };
}
function latency(ms: number): Change {
  return (evidence) => {
    challenge(evidence, 0).latencyMs = ms;
  };
}
function latencies(ms: number): Change {
  return ({ signals }) => {
    for (const challenge of signals.motion.challenges) challenge.latencyMs = ms;
  };
}
/** All in the same order, but faster. */
function duration(ms: number): Change {
  return ({ steps, frames }) => {
    const speed = ms / ((steps.at(-1)?.toMs ?? 0) - (frames.arrivalsMs[0] ?? 0));
    for (const step of steps) Object.assign(step, { fromMs: speed * step.fromMs, toMs: speed * step.toMs });
    frames.arrivalsMs = frames.arrivalsMs.map((time) => speed * time);
  };
}
function width(ratio: number): Change {
  return ({ signals }) => {
    signals.foreshortening = { ratio, frames: 9 };
  };
}
function smear(logOdds: number): Change {
  return ({ signals }) => {
    signals.smear = { logOdds, frames: 12 };
  };
}
function screen(trace: number): Change {
  return ({ signals }) => {
    signals.screen = trace;
  };
}
/** Frames of another session. */
function reuse(frames: NonNullable<Evidence['reuse']>): Change {
  return (evidence) => {
    evidence.reuse = frames;
  };
}
function parallax(value: number): Change {
  return (evidence) => {
    planarity(evidence).parallax = value;
  };
}

test('every rule has a change that breaks it', () => {
  expect([...Object.keys(broken), ...Object.keys(optional)].sort()).toEqual(Object.keys(refusals).sort());
});

test.each(Object.keys(optional) as OptionalName[])('%s refuses only if the policy says so', (name) => {
  const { policy, breaks, allowed } = optional[name];
  expect(judge(evidenceWith(breaks), policy)).toMatchObject({ isLive: false, reasons: [name] });
  expect(judge(evidenceWith(breaks)).isLive).toBe(true);
  expect(judge(evidenceWith(allowed), policy)).toMatchObject({ isLive: true, reasons: [] });
});

test('an attempt without a light challenge has no light', () => {
  const policy = { ...policies.standard, requireLight: true };
  expect(judge(genuineEvidence(), policy).reasons).toEqual(['noLight']);
});

/** The face leaves in frames that the selection drops. */
function leave(from: number, to: number): Change {
  return ({ signals, frames }) => {
    const isKept = (_: unknown, i: number) => i < from || i >= to;
    frames.faceless = frames.kept.filter((_, i) => !isKept(_, i));
    signals.frames = signals.frames.filter(isKept);
    frames.kept = frames.kept.filter(isKept);
    frames.stepOf = frames.stepOf.filter(isKept);
  };
}

test('a face that leaves during a long step counts, although no selected frame shows it', () => {
  expect(judge(evidenceWith(leave(13, 27))).isLive).toBe(true);
  expect(judge(evidenceWith(leave(13, 30))).reasons).toContain('faceAway');
  const genuine = measure(genuineEvidence());
  const isRefusedAfter = (longestAbsenceMs: number) => refusals.faceAway({ ...genuine, longestAbsenceMs });
  expect([isRefusedAfter(3000), isRefusedAfter(3001)]).toEqual([false, true]);
});

test.each([
  ['is unlike the best frame', 24, 30],
  ['was unlike it before', 0, 17],
])(
  'a face that comes back after more than a second and %s may be that of somebody else',
  (_name, from, to) => {
    const unlike: Change = frames(from, to, ({ face }) => {
      if (face) face.similarity.toBest = 0.7;
    });
    const turned: Change = frames(0, 40, ({ face }) => {
      // Too far from the camera to be compared in each frame.
      if (face) face.pose.yaw = 20;
    });
    const reasons = (leaves: Change) =>
      judge(
        evidenceWith((evidence) => {
          turned(evidence);
          unlike(evidence);
          leaves(evidence);
        }),
      ).reasons;
    expect(reasons(frames(17, 23, hide))).toEqual([]);
    expect(reasons(frames(17, 24, hide))).toEqual(['faceAway']);
  },
);

test('a face that the guidance sees between two selected frames without one is not away', () => {
  const evidence = evidenceWith(({ signals, frames: log }) => {
    hide(signals.frames[24] as Frame & { ok: true });
    hide(signals.frames[25] as Frame & { ok: true });
    // Ten frames between them, none of which is selected.
    const later = Array.from({ length: 10 }, (_, i) => 5000 + 200 * (i + 1));
    log.arrivalsMs.splice(25, 15, ...later, ...log.arrivalsMs.slice(25).map((ms) => ms + 2000));
    for (const frame of signals.frames.slice(25)) frame.timeMs += 2000;
    log.kept = log.kept.map((position) => (position < 25 ? position : position + 10));
  });
  expect(measure(evidence).longestAbsenceMs).toBe(0);
});

test.each([[0], [1], [2], [0, 2]])(
  'a user who only misses turns is refused for the movement: %j',
  (...missed) => {
    const evidence = evidenceWith((recorded) => {
      for (const i of missed) miss(i)(recorded);
    });
    const { isLive, reasons } = judge(evidence);
    expect({ isLive, reasons }).toEqual({ isLive: false, reasons: ['missedTurn'] });
    expect(failureReasonOf(reasons)).toBe('movement');
  },
);

/** A change that shows each sign alone. */
const shown: Readonly<Record<SignName, Change>> = {
  virtualCamera: optional.virtualCamera.breaks,
  scripted: optional.scripted.breaks,
  unsigned: optional.unsigned.breaks,
};

test.each(Object.keys(signs) as SignName[])(
  'an attempt with the sign %s passes with its band, unless the policy asks for more',
  (name) => {
    const evidence = evidenceWith(shown[name]);
    const { confidence } = signs[name];
    const under = (minConfidence: number) => judge(evidence, { ...policies.standard, minConfidence });
    expect(under(confidence)).toMatchObject({ isLive: true, confidence, reasons: [] });
    expect(under(confidence + 0.01)).toMatchObject({ isLive: false, confidence: 0, reasons: [name] });
    expect(confidence).toBeGreaterThan(policies.standard.minConfidence);
    expect(confidence).toBeLessThan(fullConfidence);
  },
);

test('the lowest band counts if an attempt shows several signs', () => {
  const evidence = evidenceWith((recorded) => {
    shown.unsigned(recorded);
    shown.virtualCamera(recorded);
  });
  expect(judge(evidence).confidence).toBe(signs.virtualCamera.confidence);
  const { reasons } = judge(evidence, { ...policies.standard, minConfidence: fullConfidence });
  expect(reasons).toEqual(['virtualCamera', 'unsigned']);
});

test.each(Object.keys(broken) as (keyof typeof broken)[])('%s refuses on its own', (name) => {
  const [breaks, allowed] = broken[name];
  const verdict = judge(evidenceWith(breaks));
  expect(verdict.reasons).toContain(name);
  // A face that is hidden for long is also missing from its step.
  if (name !== 'tooFewFrames') expect(verdict.reasons).toEqual([name]);
  expect(verdict.isLive).toBe(false);
  expect(verdict.confidence).toBe(0);
  expect(judge(evidenceWith(allowed))).toMatchObject({ isLive: true, reasons: [] });
});

test('only the applied rules refuse and lower the confidence', () => {
  const evidence = evidenceWith((recorded) => {
    parallax(0.1)(recorded);
    frames(10, 20, second)(recorded);
    label('OBS Virtual Camera')(recorded);
  });
  expect(judge(evidence).reasons).toEqual(['severalFaces', 'flat']);
  const applying = (...names: RefusalName[]) =>
    verdicts.judge(evidence, policies.standard, (name) => names.includes(name));
  expect(applying('flat')).toMatchObject({ isLive: false, reasons: ['flat'] });
  expect(applying('screen').confidence).toBe(fullConfidence);
  expect(applying('screen', 'virtualCamera').confidence).toBe(signs.virtualCamera.confidence);
});

test('refuses an attempt without any face with valid numbers', () => {
  const verdict = judge(
    evidenceWith((evidence) => {
      frames(0, 40, hide)(evidence);
      for (const i of [0, 1, 2]) miss(i)(evidence);
      Object.assign(evidence.signals, { planarity: null, foreshortening: null, smear: null });
    }),
  );
  expect(verdict.reasons).toEqual(['tooFewFrames', 'faceAway', 'missedTurn', 'noDepth', 'sideUnseen']);
  expect(JSON.stringify(verdict.measures)).not.toContain('null,null');
});

test.each([
  ['OBS Virtual Camera', 1],
  ['ManyCam Virtual Webcam', 1],
  ['Dummy video device (0x0000)', 1],
  ['v4l2loopback', 1],
  ['OBS-Camera', 1],
  ['XSplit VCam', 1],
  ['e2eSoft VCam', 1],
  ['SplitCam Video Driver', 1],
  ['AkVirtualCamera', 1],
  ['CyberLink YouCam 9', 1],
  ['NDI Webcam Video 1', 1],
  ['Unity Video Capture', 1],
  ['screen-capture-recorder', 1],
  ['fake_device_0', 1],
  ['FaceTime HD Camera', 0],
  ['Logitech BRIO', 0],
  ['camera2 1, facing front', 0],
  ['Front Ultra Wide Camera', 0],
  ['USB2.0 HD UVC WebCam (13d3:56a2)', 0],
  ['Integrated Camera (04f2:b6ea)', 0],
  ['HP TrueVision HD Camera', 0],
  ['Handicam', 0],
  [undefined, 0],
])('the camera %s counts as virtual: %i', (label, expected) => {
  const evidence = evidenceWith(({ camera }) => {
    camera.label = label;
  });
  expect(measure(evidence).virtualCamera).toBe(expected);
});
