/** Every decoder on outputs that encode a known face. */
import type { ModelSpec } from '../../backends/backend';
import type { Decoding, DecodingKind } from '../../catalogue/manifest-parts';
import { decoders, readCandidates } from './decoders';

/** A face in the middle of nowhere, turned by some degrees, in pixels of the input. */
const face = { left: 70.5, top: 41.25, width: 40, height: 52.5, angle: 0.3 };
const center = { x: face.left + face.width / 2, y: face.top + face.height / 2 };
/** Eyes of that roll, 20 pixels apart around (x, y). */
const eyes = (x: number, y: number) => {
  const [dx, dy] = [10 * Math.cos(face.angle), 10 * Math.sin(face.angle)];
  return [x - dx, y - dy, x + dx, y + dy];
};

/** The nose, and the middle of the mouth, below the eyes. */
const noseAndMouth = (x: number, y: number) => [x - 3, y + 8, x - 4, y + 17];
/** The same with both corners of the mouth, as most detectors have them. */
const fivePoints = (x: number, y: number) => [
  ...eyes(x, y),
  ...noseAndMouth(x, y).slice(0, 2),
  x - 10,
  y + 15,
  x + 2,
  y + 19,
];

type Outputs = Record<string, Float32Array>;
type Options = { inputSize: number; stride: number; score: number };

/** Outputs of zeros, with the lengths that the decoder needs. */
const empty = (kind: DecodingKind, inputSize: number, sizes: Record<string, number> = {}): Outputs =>
  Object.fromEntries(
    Object.entries(decoders[kind].needs(inputSize, sizes)).map(([name, size]) => [
      name,
      new Float32Array(size),
    ]),
  );

/** Puts the face into the cell of a grid that its center lies in. */
const encoders: Record<DecodingKind, (options: Options) => Outputs> = {
  yunet({ inputSize, stride, score }) {
    const outputs = empty('yunet', inputSize);
    const [column, row] = [Math.floor(center.x / stride), Math.floor(center.y / stride)];
    const cell = row * (inputSize / stride) + column;
    // The score is the geometric mean of the two.
    outputs[`cls_${stride}`]?.set([score ** 2 / 0.99], cell);
    outputs[`obj_${stride}`]?.set([0.99], cell);
    const [x, y] = [center.x / stride - column, center.y / stride - row];
    outputs[`bbox_${stride}`]?.set(
      [x, y, Math.log(face.width / stride), Math.log(face.height / stride)],
      4 * cell,
    );
    const points = fivePoints(center.x, center.y).map(
      (value, i) => value / stride - (i % 2 === 0 ? column : row),
    );
    outputs[`kps_${stride}`]?.set(points, 10 * cell);
    return outputs;
  },
  scrfd({ inputSize, stride, score }) {
    const kps = Object.fromEntries([8, 16, 32].map((step) => [`kps_${step}`, 0]));
    const outputs = empty('scrfd', inputSize, kps);
    const [column, row] = [Math.floor(center.x / stride), Math.floor(center.y / stride)];
    const anchor = 2 * (row * (inputSize / stride) + column) + 1;
    const [x, y] = [column * stride, row * stride];
    outputs[`score_${stride}`]?.set([score], anchor);
    const sides = [x - face.left, y - face.top, face.left + face.width - x, face.top + face.height - y];
    outputs[`bbox_${stride}`]?.set(
      sides.map((distance) => distance / stride),
      4 * anchor,
    );
    const points = fivePoints(center.x - x, center.y - y).map((value) => value / stride);
    outputs[`kps_${stride}`]?.set(points, 10 * anchor);
    return outputs;
  },
};

const cases: [DecodingKind, number, number][] = [
  ['yunet', 640, 8],
  ['yunet', 640, 32],
  ['yunet', 320, 16],
  ['scrfd', 640, 8],
  ['scrfd', 640, 32],
  ['scrfd', 320, 16],
];

describe.each(cases)('%s on %i pixels, stride %i', (kind, inputSize, stride) => {
  const outputs = encoders[kind]({ inputSize, stride, score: 0.8 });

  test('decodes the encoded face', () => {
    const candidates = decoders[kind].read(outputs, { inputSize, minScore: 0.5 });
    expect(candidates).toHaveLength(1);
    const [candidate] = candidates as [(typeof candidates)[number]];
    expect(candidate.score).toBeCloseTo(0.8, 5);
    for (const side of ['left', 'top', 'width', 'height'] as const) {
      expect(candidate[side]).toBeCloseTo(face[side], 3);
    }
    expect(candidate.angle).toBeCloseTo(face.angle, 4);
    const shown = [...eyes(center.x, center.y), ...noseAndMouth(center.x, center.y)];
    expect([...(candidate.points ?? [])]).toEqual(shown.map((value) => expect.closeTo(value, 3)));
  });

  test('ignores a face below the least score', () => {
    expect(decoders[kind].read(outputs, { inputSize, minScore: 0.81 })).toEqual([]);
  });
});

test('reads SCRFD without points, with the strides and anchors of its outputs', () => {
  const sizes = { score_16: 400, score_64: 25 };
  expect(decoders.scrfd.needs(320, sizes)).toEqual({
    score_16: 400,
    bbox_16: 1600,
    score_64: 25,
    bbox_64: 100,
  });
  const outputs = empty('scrfd', 320, sizes);
  outputs.score_64?.set([0.9], 6);
  outputs.bbox_64?.set([0.5, 0.25, 0.5, 0.75], 24);
  expect(decoders.scrfd.read(outputs, { inputSize: 320, minScore: 0.5 })).toEqual([
    expect.objectContaining({ left: 32, top: 48, width: 64, height: 64, angle: 0 }),
  ]);
});

describe('batches', () => {
  const inputSize = 320;
  const outputs = Object.entries(empty('yunet', inputSize)).map(([name, { length }]) => ({
    name,
    shape: [length],
  }));
  const input = { width: inputSize, height: inputSize, channels: 3 };
  const spec: ModelSpec = { id: 'own', path: '', input, outputs };
  const decoding: Decoding = { kind: 'yunet', minScore: 0.5 };

  test('each image has its own candidates', () => {
    const [first, second] = [0.6, 0.9].map((score) => encoders.yunet({ inputSize, stride: 16, score }));
    const batch = Object.fromEntries(
      outputs.map(({ name }) => [name, Float32Array.of(...(first?.[name] ?? []), ...(second?.[name] ?? []))]),
    );
    const scores = [0, 1].map((i) =>
      readCandidates({ ...spec, decoding }, batch, i).map((candidate) => candidate.score),
    );
    expect(scores).toEqual([[expect.closeTo(0.6)], [expect.closeTo(0.9)]]);
  });

  test('refuses a detector without a decoding', () => {
    expect(() => readCandidates(spec, {}, 0)).toThrow(
      'The manifest of own does not describe how to read its outputs',
    );
  });
});
