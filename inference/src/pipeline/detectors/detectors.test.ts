/** Every decoder on answers that are made up of a known face. */
import type { ModelSpec } from '../../backends/backend';
import type { Decoding, DecodingKind } from '../../catalogue/knowledge';
import { decoders, readCandidates } from './decoders';

/** A face in the middle of nowhere, turned by some degrees, in pixels of the input. */
const face = { left: 70.5, top: 41.25, width: 40, height: 52.5, angle: 0.3 };
const centre = { x: face.left + face.width / 2, y: face.top + face.height / 2 };
/** Eyes of that roll, 20 pixels apart around (x, y). */
const eyes = (x: number, y: number) => {
  const [dx, dy] = [10 * Math.cos(face.angle), 10 * Math.sin(face.angle)];
  return [x - dx, y - dy, x + dx, y + dy];
};

type Answer = Record<string, Float32Array>;
type Options = { inputSize: number; stride: number; score: number };

/** An answer of nothing but zeros, as long as the decoder needs. */
const empty = (kind: DecodingKind, inputSize: number, sizes: Record<string, number> = {}): Answer =>
  Object.fromEntries(
    Object.entries(decoders[kind].needs(inputSize, sizes)).map(([name, size]) => [
      name,
      new Float32Array(size),
    ]),
  );

/** Puts the face into the cell of a grid that its centre lies in. */
const encoders: Record<DecodingKind, (options: Options) => Answer> = {
  blazeface({ inputSize, stride, score }) {
    const answer = empty('blazeface', inputSize);
    answer.logits512?.fill(-20);
    answer.logits384?.fill(-20);
    const cells = inputSize / stride;
    const [anchors, perCell] = cells === 16 ? [512, 2] : [384, 6];
    const [column, row] = [Math.floor(centre.x / stride), Math.floor(centre.y / stride)];
    const anchor = (row * cells + column) * perCell + 1;
    const [x, y] = [(column + 0.5) * stride, (row + 0.5) * stride];
    answer[`logits${anchors}`]?.set([Math.log(score / (1 - score))], anchor);
    const points = eyes(centre.x - x, centre.y - y);
    answer[`offsets${anchors}`]?.set(
      [centre.x - x, centre.y - y, face.width, face.height, ...points],
      16 * anchor,
    );
    return answer;
  },
  ssd({ inputSize, score }) {
    const answer = empty('ssd', inputSize, { scores: 9 });
    answer.scores?.set([score], 4);
    const box = [face.top, face.left, face.top + face.height, face.left + face.width];
    answer.boxes?.set(
      box.map((value) => value / inputSize),
      16,
    );
    return answer;
  },
  yunet({ inputSize, stride, score }) {
    const answer = empty('yunet', inputSize);
    const [column, row] = [Math.floor(centre.x / stride), Math.floor(centre.y / stride)];
    const cell = row * (inputSize / stride) + column;
    // The score is the geometric mean of the two.
    answer[`cls_${stride}`]?.set([score ** 2 / 0.99], cell);
    answer[`obj_${stride}`]?.set([0.99], cell);
    const [x, y] = [centre.x / stride - column, centre.y / stride - row];
    answer[`bbox_${stride}`]?.set(
      [x, y, Math.log(face.width / stride), Math.log(face.height / stride)],
      4 * cell,
    );
    const points = eyes(centre.x, centre.y).map((value, i) => value / stride - (i % 2 === 0 ? column : row));
    answer[`kps_${stride}`]?.set(points, 10 * cell);
    return answer;
  },
  scrfd({ inputSize, stride, score }) {
    const kps = Object.fromEntries([8, 16, 32].map((one) => [`kps_${one}`, 0]));
    const answer = empty('scrfd', inputSize, kps);
    const [column, row] = [Math.floor(centre.x / stride), Math.floor(centre.y / stride)];
    const anchor = 2 * (row * (inputSize / stride) + column) + 1;
    const [x, y] = [column * stride, row * stride];
    answer[`score_${stride}`]?.set([score], anchor);
    const sides = [x - face.left, y - face.top, face.left + face.width - x, face.top + face.height - y];
    answer[`bbox_${stride}`]?.set(
      sides.map((distance) => distance / stride),
      4 * anchor,
    );
    const points = eyes(centre.x - x, centre.y - y).map((value) => value / stride);
    answer[`kps_${stride}`]?.set(points, 10 * anchor);
    return answer;
  },
};

const cases: [DecodingKind, number, number][] = [
  ['blazeface', 256, 16],
  ['blazeface', 256, 32],
  // The model for front cameras has the same grids on half the side.
  ['blazeface', 128, 8],
  ['ssd', 512, 1],
  ['yunet', 640, 8],
  ['yunet', 640, 32],
  ['yunet', 320, 16],
  ['scrfd', 640, 8],
  ['scrfd', 640, 32],
  ['scrfd', 320, 16],
];

describe.each(cases)('%s on %i pixels, stride %i', (kind, inputSize, stride) => {
  const answer = encoders[kind]({ inputSize, stride, score: 0.8 });

  test('the face comes out as it went in', () => {
    const found = decoders[kind].read(answer, { inputSize, minScore: 0.5 });
    expect(found).toHaveLength(1);
    const [candidate] = found as [(typeof found)[number]];
    expect(candidate.score).toBeCloseTo(0.8, 5);
    for (const side of ['left', 'top', 'width', 'height'] as const) {
      expect(candidate[side]).toBeCloseTo(face[side], 3);
    }
    expect(candidate.angle).toBeCloseTo(kind === 'ssd' ? 0 : face.angle, 4);
  });

  test('below the least score it is passed over', () => {
    expect(decoders[kind].read(answer, { inputSize, minScore: 0.81 })).toEqual([]);
  });
});

test('SCRFD without points, and with the strides and anchors that its outputs have', () => {
  const sizes = { score_16: 400, score_64: 25 };
  expect(decoders.scrfd.needs(320, sizes)).toEqual({
    score_16: 400,
    bbox_16: 1600,
    score_64: 25,
    bbox_64: 100,
  });
  const answer = empty('scrfd', 320, sizes);
  answer.score_64?.set([0.9], 6);
  answer.bbox_64?.set([0.5, 0.25, 0.5, 0.75], 24);
  expect(decoders.scrfd.read(answer, { inputSize: 320, minScore: 0.5 })).toEqual([
    expect.objectContaining({ left: 32, top: 48, width: 64, height: 64, angle: 0 }),
  ]);
});

describe('of a batch', () => {
  const outputs = [
    { name: 'scores', shape: [9] },
    { name: 'boxes', shape: [9, 4] },
  ];
  const input = { width: 512, height: 512, channels: 3 };
  const spec: ModelSpec = { id: 'own', path: '', input, outputs };
  const decoding: Decoding = { kind: 'ssd', minScore: 0.5 };

  test('each image has its own candidates', () => {
    const [first, second] = [0.6, 0.9].map((score) => encoders.ssd({ inputSize: 512, stride: 1, score }));
    const batch = Object.fromEntries(
      outputs.map(({ name }) => [name, Float32Array.of(...(first?.[name] ?? []), ...(second?.[name] ?? []))]),
    );
    const scores = [0, 1].map((i) => readCandidates({ ...spec, decoding }, batch, i).map((one) => one.score));
    expect(scores).toEqual([[expect.closeTo(0.6)], [expect.closeTo(0.9)]]);
  });

  test('a model whose manifest does not say how it is read is an error', () => {
    expect(() => readCandidates(spec, {}, 0)).toThrow('The manifest of own does not say');
  });
});
