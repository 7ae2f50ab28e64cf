import {
  evidenceWith,
  genuineEvidence,
  type MutableEvidence,
} from '../../../../test/liveness/genuine-evidence';
import type { Evidence } from '../capture/evidence';
import { type Measurements, measure } from './measurements';
import { type Policy, policies } from './policy';
import { type RefusalName, type RiskName, refusals, risks } from './rules';
import * as verdicts from './verdict';

const judge = (evidence: Evidence, policy = policies.standard) => verdicts.judge(evidence, policy);
const judgeMeasurements = (measurements: Measurements) =>
  verdicts.judgeMeasurements(measurements, policies.standard);

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

test('passes evidence without any suspicion, and takes no risk from it', () => {
  const verdict = judge(genuineEvidence());
  expect(verdict).toMatchObject({ isLive: true, reasons: [] });
  expect(verdict.confidence).toBeCloseTo(0.97);
  expect(Object.values(verdict.scores.risks)).toEqual(Object.values(verdict.scores.risks).fill(0));
});

/** For each rule of the policy `standard`, a change that breaks it and a similar one that does not. */
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
  faceAway: [frames(20, 27, hide), frames(20, 26, hide)],
  otherPerson: [
    frames(21, 22, ({ face }) => {
      if (face) face.similarity.toBest = 0.5;
    }),
    // Turned faces are less like a frontal one.
    frames(15, 16, ({ face }) => {
      if (face) face.similarity.toBest = 0.5;
    }),
  ],
  missedTurn: [
    (evidence) => {
      challenge(evidence, 1).reached = false;
    },
    () => {},
  ],
  wrongOrder: [
    ({ signals }) => {
      signals.motion.inOrder = false;
    },
    () => {},
  ],
  unaskedTurn: [
    (evidence) => {
      challenge(evidence, 2).strays = ['down'];
    },
    () => {},
  ],
  tooFast: [latency(190), latency(210)],
  foreknown: [latencies(340), latencies(360)],
  hurried: [duration(2440), duration(2460)],
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
  smeared: [smear(0.8), smear(0.7)],
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
function second(frame: Frame & { ok: true }) {
  frame.faceCount = 2;
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

test('the level strict refuses less smear', () => {
  const policy = { ...policies.standard, level: 'strict' } as const;
  expect(judge(evidenceWith(smear(0.2)), policy).reasons).toEqual(['smeared']);
  expect(judge(genuineEvidence(), policy).isLive).toBe(true);
});

/** The face leaves in frames that the selection drops. */
function leave(from: number, to: number): Change {
  return ({ signals, frames }) => {
    const isKept = (_: unknown, i: number) => i < from || i >= to;
    frames.faceless = frames.kept.filter((_, i) => !isKept(_, i));
    signals.frames = signals.frames.filter(isKept);
    frames.kept = frames.kept.filter(isKept);
    frames.stepOf = frames.stepOf.filter(isKept);
    frames.sizes = frames.sizes.filter(isKept);
  };
}

test('a face that leaves during a long step counts, although no selected frame shows it', () => {
  expect(judge(evidenceWith(leave(20, 27))).reasons).toEqual(['faceAway']);
  expect(judge(evidenceWith(leave(20, 26))).isLive).toBe(true);
});

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

test('a tier that does not measure smear yet refuses nobody', () => {
  const older = evidenceWith(({ signals }) => {
    Reflect.deleteProperty(signals, 'smear');
    Reflect.deleteProperty(signals, 'light');
  });
  expect(judge(older).isLive).toBe(true);
});

test('a policy sets the least confidence of a live verdict', () => {
  const evidence = evidenceWith(label('OBS Virtual Camera'));
  expect(judge(evidence).isLive).toBe(true);
  expect(judge(evidence, { ...policies.standard, minConfidence: 0.9 })).toMatchObject({
    isLive: false,
    reasons: ['risk'],
  });
});

test.each(Object.keys(broken) as (keyof typeof broken)[])('%s refuses on its own', (name) => {
  const [breaks, allowed] = broken[name];
  const verdict = judge(evidenceWith(breaks));
  expect(verdict.reasons).toContain(name);
  // A face that is hidden for long is also missing from its step.
  if (name !== 'tooFewFrames') expect(verdict.reasons).toEqual([name]);
  expect(verdict.isLive).toBe(false);
  expect(verdict.confidence).toBeLessThan(0.02);
  expect(judge(evidenceWith(allowed))).toMatchObject({ isLive: true, reasons: [] });
});

/** The worst value of each risk. */
const worst: Readonly<Record<RiskName, Partial<Measurements>>> = {
  screen: { screen: 1 },
  antispoof: { antispoof: 0 },
  passiveLiveness: { passiveLiveness: 0 },
  virtualCamera: { virtualCamera: 1 },
  sizeChanges: { sizeChanges: 9 },
  fastResponses: { leastLatencyMs: 210 },
  unsigned: { unsigned: 1 },
  scripted: { clientFaults: 1 },
  shaking: { monotony: 0 },
  jumps: { jumps: 9 },
  gaps: { longestGapMs: 3000 },
  repeatedImages: { repeatedShare: 0.33 },
  repeatedNonces: { repeatedNonces: 5 },
  blink: { blinks: 0 },
};

test.each(Object.keys(risks) as RiskName[])(
  '%s alone does not fail an attempt, except for the trace of a screen',
  (name) => {
    const genuine = measure(genuineEvidence());
    const verdict = judgeMeasurements({ ...genuine, ...worst[name] });
    const only = Object.entries(verdict.scores.risks).filter(([, taken]) => taken !== 0);
    expect(only.map(([one]) => one)).toEqual(name === 'blink' ? [] : [name]);
    expect(verdict.isLive).toBe(name !== 'screen');
    expect(verdict.confidence).toBeLessThanOrEqual(judgeMeasurements(genuine).confidence);
  },
);

test('fails on the sum of several risks with the single reason risk', () => {
  const genuine = measure(genuineEvidence());
  const verdict = judgeMeasurements({ ...genuine, ...worst.virtualCamera, ...worst.jumps });
  expect(verdict).toMatchObject({ isLive: false, reasons: ['risk'] });
});

test('only the applied rules refuse and add risks', () => {
  const evidence = evidenceWith((one) => {
    parallax(0.1)(one);
    frames(10, 20, second)(one);
    label('OBS Virtual Camera')(one);
  });
  expect(judge(evidence).reasons).toEqual(['severalFaces', 'flat']);
  const applied = verdicts.judge(evidence, policies.standard, (name) => name === 'flat');
  expect(applied).toMatchObject({
    isLive: false,
    reasons: ['flat'],
    scores: { risks: { virtualCamera: 0 } },
  });
  expect(applied.confidence).toBe(judge(evidenceWith(parallax(0.1))).confidence);
});

test('gives a higher confidence with a blink', () => {
  const genuine = measure(genuineEvidence());
  expect(judgeMeasurements({ ...genuine, blinks: 1 }).confidence).toBeGreaterThan(
    judgeMeasurements(genuine).confidence,
  );
});

test('refuses an attempt without any face with valid numbers', () => {
  const verdict = judge(
    evidenceWith((evidence) => {
      frames(0, 40, hide)(evidence);
      evidence.signals.planarity = null;
      evidence.signals.motion.inOrder = false;
    }),
  );
  expect(verdict.reasons).toEqual(['tooFewFrames', 'faceAway', 'wrongOrder']);
  expect(verdict.confidence).toBeGreaterThanOrEqual(0);
  expect(JSON.stringify(verdict.scores)).not.toContain('null,null');
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
])('rates the camera %s as risk %i', (label, expected) => {
  const evidence = evidenceWith(({ camera }) => {
    camera.label = label;
  });
  expect(measure(evidence).virtualCamera).toBe(expected);
});

test('a confidence has at most four digits', () => {
  expect(judge(genuineEvidence()).confidence).toBe(0.97);
  const { confidence } = judge(evidenceWith(label('OBS Virtual Camera')));
  expect(String(confidence)).toMatch(/^0\.\d{1,4}$/);
});
