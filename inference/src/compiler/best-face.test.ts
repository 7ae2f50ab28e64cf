/** The candidates of graphs against those of the pipeline, on scripted outputs of the detector. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../onnx-format/onnx-file';
import { strides, yunet } from '../pipeline/detectors/yunet';
import { suppress } from '../pipeline/image/boxes';
import { Arithmetic } from './arithmetic';
import { areOfOtherFaces, bestFace, candidatesOf } from './best-face';
import { Graph } from './graph';

const inputSize = 64;
const minScore = 0.6;
const valuesPerCell = { cls: 1, obj: 1, bbox: 4, kps: 10 };

interface Seen {
  readonly score: number;
  /** Center and size of the detector's box in pixels of its input. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Roll of the face in radians. */
  readonly roll?: number;
}

/** YuNet's outputs for faces, each in the next cell of the finest grid. */
function detections(seen: readonly Seen[]): Record<string, Float32Array> {
  const outputs = Object.fromEntries(
    strides.flatMap((stride) =>
      Object.entries(valuesPerCell).map(([name, count]) => [
        `${name}_${stride}`,
        new Float32Array(count * (inputSize / stride) ** 2),
      ]),
    ),
  );
  const [stride] = strides;
  seen.forEach(({ score, x, y, size, roll = 0 }, cell) => {
    const [column, row] = [cell % (inputSize / stride), Math.floor(cell / (inputSize / stride))];
    const offset = (px: number, py: number) => [px / stride - column, py / stride - row];
    const [cos, sin] = [Math.cos(roll) * (size / 4), Math.sin(roll) * (size / 4)];
    outputs.cls_8?.set([score], cell);
    outputs.obj_8?.set([score], cell);
    outputs.bbox_8?.set([...offset(x, y), Math.log(size / stride), Math.log(size / stride)], 4 * cell);
    outputs.kps_8?.set([...offset(x - cos, y - sin), ...offset(x + cos, y + sin)], 10 * cell);
  });
  return outputs;
}

/** The best face and whether there is another face outside of a square around some point. */
async function findInGraph(outputs: Record<string, Float32Array>, around: readonly [number, number]) {
  const math = new Arithmetic(new Graph());
  const names = Object.fromEntries(Object.keys(outputs).map((name) => [name, name]));
  const candidates = candidatesOf(math, names, { inputSize, minScore });
  const [x, y] = around;
  const corners = [-10, 10].flatMap((dx) => [-10, 10].flatMap((dy) => [x + dx, y + dy]));
  const [unit, zero] = [1, 0].map((value) => math.constant([value], [1, 1, 1])) as [string, string];
  const half = math.constant([(inputSize - 1) / 2], [1, 1, 1]);
  const maps = {
    left: zero,
    a: unit,
    b: zero,
    c: half,
    top: zero,
    d: zero,
    e: unit,
    f: half,
    mirrored: [false],
  };
  const graphValues = {
    ...bestFace(math, candidates),
    elsewhere: areOfOtherFaces(math, candidates, { maps, inputSize }, math.constant(corners, [1, 4, 2])),
  };
  for (const [name, value] of Object.entries(graphValues))
    math.graph.node('Identity', [value], {}, `best/${name}`);
  const file = encodeOnnx({
    name: 'best-face',
    inputs: Object.keys(outputs).map((name) => ({ name, type: 'float' })),
    outputs: Object.keys(graphValues).map((name) => ({ name: `best/${name}`, type: 'float' })),
    nodes: math.graph.nodes,
    initializers: math.graph.initializers,
    metadata: {},
  });
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const feeds = Object.entries(outputs).map(([name, values]) => {
    const count = valuesPerCell[name.split('_')[0] as keyof typeof valuesPerCell];
    return [name, new Tensor('float32', values, [1, values.length / count, count])];
  });
  const results = await session.run(Object.fromEntries(feeds));
  await session.release();
  const values = Object.keys(graphValues).map((name) => {
    const { data } = results[`best/${name}`] as Tensor;
    return [name, data[0] as number];
  });
  return Object.fromEntries(values) as Record<keyof typeof graphValues, number>;
}

const face: Seen = { score: 0.95, x: 30, y: 34, size: 20, roll: 0.3 };
const elsewhere: Seen = { score: 0.7, x: 10, y: 10, size: 12 };

test.each<[string, readonly Seen[], count: number, elsewhere: 0 | 1]>([
  ['no face', [{ ...face, score: 0.5 }], 0, 0],
  ['one face', [face], 1, 0],
  ['a weaker box that overlaps the best one', [{ ...face, score: 0.8, x: 34 }, face], 1, 0],
  ['a small box inside the best one', [face, { ...face, score: 0.7, size: 10 }], 1, 0],
  ['a far smaller box inside the best one', [face, { ...face, score: 0.7, size: 6 }], 2, 1],
  ['a large box around the best one', [{ ...face, score: 0.8, size: 40 }, face], 1, 0],
  ['a box of which less lies inside the best one', [face, { ...face, score: 0.7, x: 40, size: 8 }], 2, 1],
  ['two faces', [elsewhere, face], 2, 1],
  ['three faces', [elsewhere, face, { ...elsewhere, x: 50 }], 2, 1],
])('%s', async (_, seen, count, apart) => {
  const outputs = detections(seen);
  const [expected, ...others] = suppress(yunet.read(outputs, { inputSize, minScore }));
  const best = await findInGraph(outputs, [face.x, face.y]);
  expect(best.count).toBe(count);
  expect(Math.min(2, (expected ? 1 : 0) + others.length)).toBe(count);
  expect(best.elsewhere).toBe(apart);
  if (!expected) return;
  expect(best.score).toBeCloseTo(expected.score);
  expect(Math.atan2(best.sin, best.cos)).toBeCloseTo(expected.angle);
  const { drop, width, height } = yunet.meshBox;
  expect(best.width).toBeCloseTo(width * expected.width, 4);
  expect(best.height).toBeCloseTo(height * expected.height, 4);
  const center = [expected.left + expected.width / 2, expected.top + expected.height / 2] as const;
  expect(best.left + best.x).toBeCloseTo(center[0] - Math.sin(expected.angle) * drop * expected.width, 4);
  expect(best.top + best.y).toBeCloseTo(center[1] + Math.cos(expected.angle) * drop * expected.height, 4);
});

test('a cell without a candidate may have a box of any size', async () => {
  const outputs = detections([face]);
  outputs.bbox_16?.fill(1000);
  expect(await findInGraph(outputs, [face.x, face.y])).toMatchObject({ count: 1, elsewhere: 0 });
  expect((await findInGraph(outputs, [face.x, face.y])).width).toBeCloseTo(20 * yunet.meshBox.width, 4);
});

test('a far smaller box in the middle of the points is of another face', async () => {
  const card = { ...face, score: 0.7, x: 31, y: 33, size: 6 };
  expect((await findInGraph(detections([face, card]), [face.x, face.y])).elsewhere).toBe(1);
});

test('the same face is elsewhere when its center is outside of the points', async () => {
  expect((await findInGraph(detections([face]), [60, 60])).elsewhere).toBe(1);
});
