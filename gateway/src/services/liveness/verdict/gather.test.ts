import type { FramesReply } from '@presenza/inference/wire';
import type { AttemptRecord } from '../capture/capture-store';
import { gather } from './gather';

/** The header of a JPEG with the given width, which is enough without decoding. */
const frame = (width: number) =>
  Buffer.from(`ffd8ffc0000b0800f0${width.toString(16).padStart(4, '0')}01`, 'hex');

const record: AttemptRecord = {
  movements: ['centre', 'left', 'up'],
  state: '',
  camera: '',
  arrivals: [
    { number: 1, timeMs: 400, step: 0 },
    { number: 2, timeMs: 600, step: 0 },
    // Overtaken by number 4.
    { number: 3, timeMs: 1_040, step: 1 },
    { number: 4, timeMs: 1_000, step: 0 },
    { number: 5, timeMs: 1_200, step: 1 },
    { number: 7, timeMs: 1_900, step: 2 },
    { number: 8, timeMs: 2_100, step: 3 },
  ],
  refused: { repeated: 1, stale: 0, foreign: 2, signature: 0 },
  frames: new Map([
    [1, frame(321)],
    [3, frame(323)],
    [4, frame(324)],
    [5, frame(325)],
    [7, frame(327)],
  ]),
};

const opened: number[] = [];
const gathered = gather(record, (number, sealed) => {
  opened.push(number);
  return sealed;
});

test('sends selected frames in order, with ascending times', () => {
  expect(opened).toEqual([1, 3, 4, 5, 7]);
  expect(gathered.frames.map(({ timeMs }) => timeMs)).toEqual([400, 1_000, 1_000, 1_200, 1_900]);
  expect(gathered.frames.map(({ image }) => image)).toEqual([321, 323, 324, 325, 327].map(frame));
});

test('begins each turn at the end of the step before', () => {
  expect(gathered.challenges).toEqual([
    { kind: 'left', fromMs: 1_000, toMs: 1_200 },
    { kind: 'up', fromMs: 1_200, toMs: 1_900 },
  ]);
});

test('a turn lasts until the next one is requested, even if the head comes back first', () => {
  const { challenges } = gather(
    { ...record, movements: ['centre', 'left', 'centre', 'left'] },
    (_, sealed) => sealed,
  );
  expect(challenges).toEqual([
    { kind: 'left', fromMs: 1_000, toMs: 1_900 },
    { kind: 'left', fromMs: 1_900, toMs: 2_100 },
  ]);
});

test('records every frame as evidence', () => {
  const signals = {} as FramesReply;
  const camera = { label: 'Camera' };
  const transport = { isSigned: true, clientFaults: [] };
  expect(gathered.evidence(signals, { faceless: [3, 8], camera, transport })).toEqual({
    signals,
    camera,
    transport,
    steps: [
      { movement: 'centre', fromMs: 0, toMs: 1_000 },
      { movement: 'left', fromMs: 1_000, toMs: 1_200 },
      { movement: 'up', fromMs: 1_200, toMs: 1_900 },
    ],
    frames: {
      arrivalsMs: [400, 600, 1_000, 1_000, 1_200, 1_900, 2_100],
      kept: [0, 2, 3, 4, 5],
      stepOf: [0, 1, 0, 1, 2],
      faceless: [2, 6],
      refused: { repeated: 1, stale: 0, foreign: 2, signature: 0 },
    },
  });
});

test('gives every step a duration of at least a millisecond', () => {
  const arrivals = record.arrivals.map((arrival) => ({ ...arrival, timeMs: 5 }));
  const { challenges } = gather({ ...record, arrivals }, (_, sealed) => sealed);
  expect(challenges).toEqual([
    { kind: 'left', fromMs: 5, toMs: 6 },
    { kind: 'up', fromMs: 6, toMs: 7 },
  ]);
});
