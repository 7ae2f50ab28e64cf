/** The choice of faces among candidates, with scripted outputs of the detector and the mesh model. */
import type { Model, ModelOutputs } from '../../backends/backend';
import { DecodedImage } from '../image/decoded-image';
import type { Face } from './face';
import { findFaces } from './find-faces';
import { cropFactor } from './mesh';

const side = 64;
const stride = 8;
const cells = (side / stride) ** 2;
/** Width and height of the box around a mesh in image pixels. */
const meshSide = 20;

interface Seen {
  readonly score: number;
  /** Center of the mesh's box. */
  readonly x: number;
  readonly y: number;
  /** Offsets of eyes, nose and corners of the mouth from the center. */
  readonly points?: readonly number[];
  /** Multiple of the size of a mesh. Default 1. */
  readonly size?: number;
}

const facePoints = [-5, -4, 5, -4, 0, 1, -4, 6, 4, 6];

/** SCRFD's outputs for candidates whose boxes are those of meshes, each in the next cell. */
function detections(seen: readonly Seen[]): ModelOutputs {
  const outputs = {
    score_8: new Float32Array(cells),
    bbox_8: new Float32Array(4 * cells),
    kps_8: new Float32Array(10 * cells),
  };
  seen.forEach(({ score, x, y, points = facePoints, size = 1 }, cell) => {
    const [width, height] = [(size * meshSide) / 1.026, (size * meshSide) / 0.882];
    const cellX = cell * stride;
    const top = y - 0.059 * height - height / 2;
    outputs.score_8[cell] = score;
    const sides = [cellX - (x - width / 2), -top, x + width / 2 - cellX, top + height];
    outputs.bbox_8.set(
      sides.map((distance) => distance / stride),
      4 * cell,
    );
    const offsets = points.map(
      (value, i) => (i % 2 === 0 ? x + size * value - cellX : y + size * value) / stride,
    );
    outputs.kps_8.set(offsets, 10 * cell);
  });
  return outputs;
}

/** A result of the mesh model in a crop. */
interface Look {
  readonly presence: number;
  /** Shift of the mesh to the right of the crop's middle, as a proportion of the mesh's width. */
  readonly shift?: number;
}

/** A mesh that fills its crop up to the margin, with eyes, nose and mouth like `facePoints`. */
function meshOf({ shift = 0 }: Look): number[] {
  const size = 192;
  const unit = size / cropFactor;
  const inner: Readonly<Record<number, number>> = {
    159: 0,
    145: 0,
    33: 0,
    386: 1,
    374: 1,
    263: 1,
    1: 2,
    4: 2,
    61: 3,
    291: 4,
  };
  return Array.from({ length: 468 }, (_, point) => {
    const place = inner[point];
    const [x, y] =
      place === undefined
        ? [(point % 2) - 0.5, ((point >> 1) % 2) - 0.5]
        : [(facePoints[2 * place] as number) / meshSide, (facePoints[2 * place + 1] as number) / meshSide];
    return [(size - 1) / 2 + unit * (x + shift), (size - 1) / 2 + unit * y, 0];
  }).flat();
}

const square = (width: number) => ({ width, height: width, channels: 3 });

interface Script {
  /** Candidates at the small input: in the whole image, and then in the image turned by each of seven eighths. */
  readonly near: readonly (readonly Seen[])[];
  /** Candidates at the large input. */
  readonly small?: readonly Seen[];
  /** The results of each run of the mesh model. */
  readonly looks: readonly (readonly Look[])[];
  readonly withUnconfirmed?: boolean;
  /** Width and height of the image in pixels. */
  readonly image?: readonly [number, number];
}

/** The faces of an image, and the number of squares that each detector looked at. */
async function search({ near, small = [], looks, withUnconfirmed = true, image = [side, side] }: Script) {
  const outputs = [
    { name: 'score_8', shape: [cells, 1] },
    { name: 'bbox_8', shape: [cells, 4] },
    { name: 'kps_8', shape: [cells, 10] },
  ];
  const decoding = { kind: 'scrfd', minScore: 0.3 } as const;
  const spec = { id: 'detector', path: '', input: square(side), outputs, decoding };
  const squares = { near: 0, thorough: 0 };
  const detector = (name: keyof typeof squares, shown: readonly (readonly Seen[])[]): Model => ({
    spec,
    run: async (_, batch) => {
      const first = squares[name];
      squares[name] += batch;
      return joined(Array.from({ length: batch }, (_, i) => detections(shown[first + i] ?? [])));
    },
  });
  const script = [...looks];
  const mesh: Model = {
    spec: { id: 'mesh', path: '', input: square(192), outputs: [] },
    run: async (_, batch) => {
      const run = script.shift() ?? [];
      expect(run).toHaveLength(batch);
      return {
        mesh: Float32Array.from(run.flatMap(meshOf)),
        presence: Float32Array.from(run.map(({ presence }) => presence)),
        features: new Float32Array(batch),
      };
    },
  };
  const [width, height] = image;
  const blank = DecodedImage.fromRgb(new Uint8Array(3 * width * height), width, height);
  const models = { near: detector('near', near), thorough: detector('thorough', [small]), mesh };
  const [faces] = await findFaces(models, [blank], { withUnconfirmed });
  expect(script).toEqual([]);
  return { faces: faces ?? [], squares };
}

/** @param looks the results of each run of the mesh model. */
const find = async (seen: readonly Seen[], looks: Script['looks'], withUnconfirmed = true) =>
  (await search({ near: [seen], looks, withUnconfirmed })).faces;

/** The outputs of a batch. */
const joined = (all: readonly ModelOutputs[]): ModelOutputs =>
  Object.fromEntries(
    Object.keys(all[0] as ModelOutputs).map((name) => [
      name,
      Float32Array.from(all.flatMap((outputs) => [...(outputs[name] as Float32Array)])),
    ]),
  );

const close = (value: number) => expect.closeTo(value, 1);
const yes = { presence: 1 };
const no = { presence: 0.1 };

test('the mesh model confirms a candidate at its place, in one look', async () => {
  const faces = await find([{ score: 0.6, x: 30, y: 32 }], [[yes]]);
  expect(faces).toMatchObject([
    {
      isConfirmed: true,
      confidence: close(0.8),
      box: { left: close(20), top: close(22), width: close(20), height: close(20) },
    },
  ]);
});

describe('without the consent of the mesh model', () => {
  test('a sure face is kept, less confidently, where the points of the detector are', async () => {
    const seen = { score: 0.8, x: 30, y: 32 };
    const [face, ...others] = await find([seen], [[{ ...no, shift: 0.4 }], [no]]);
    expect(others).toEqual([]);
    expect(face).toMatchObject({ isConfirmed: false, confidence: close(0.45) });
    const [eyeX, eyeY] = [face?.mesh.points[2 * 159], face?.mesh.points[2 * 159 + 1]];
    expect([eyeX, eyeY]).toEqual([close(25), close(28)]);
  });

  test('a sure face is left out where only confirmed ones count', async () => {
    expect(await find([{ score: 0.8, x: 30, y: 32 }], [[no], [no]], false)).toEqual([]);
  });

  test('a face of which the detector is less sure is dropped', async () => {
    expect(await find([{ score: 0.69, x: 30, y: 32 }], [[no], [no]])).toEqual([]);
  });

  test('points that are no face do not count', async () => {
    const upsideDown = facePoints.map((value, i) => (i === 5 ? -9 : value));
    expect(await find([{ score: 0.9, x: 30, y: 32, points: upsideDown }], [[no], [no]])).toEqual([]);
  });
});

describe('a mesh that moves', () => {
  test('gets a second look from its new place', async () => {
    const faces = await find([{ score: 0.6, x: 30, y: 32 }], [[{ presence: 1, shift: 0.2 }], [yes]]);
    expect(faces).toMatchObject([{ box: { left: close(24), top: close(22), width: close(20) } }]);
  });

  test('keeps its first place where the second look shows no face', async () => {
    const faces = await find([{ score: 0.6, x: 30, y: 32 }], [[{ presence: 1, shift: 0.2 }], [no]]);
    expect(faces).toMatchObject([{ isConfirmed: true, box: { left: close(24) } }]);
  });

  test('onto the face beside it is no face of its own', async () => {
    const seen = [
      { score: 0.7, x: 20, y: 32 },
      { score: 0.6, x: 36, y: 32 },
    ];
    const faces = await find(seen, [[yes, { presence: 1, shift: -0.25 }], [yes]]);
    expect(faces).toMatchObject([{ box: { left: close(10) } }]);
    expect(await find(seen, [[yes, yes]])).toHaveLength(2);
  });
});

describe('turned faces', () => {
  const upright = { score: 0.8, x: 32, y: 32 };
  const doubtful = { ...upright, score: 0.6 };
  /** A face in the cell of the half turn, the fifth of a close look at a face of 20 pixels. */
  const halfTurned = { score: 0.9, x: 31.5, y: 31.5, size: 21 / 40 };

  test('are looked for only where the detector is not sure', async () => {
    expect((await search({ near: [[upright]], looks: [[yes]] })).squares.near).toBe(1);
    expect((await search({ near: [[]], looks: [] })).squares.near).toBe(8);
    // A close look, and the image in seven turns.
    expect((await search({ near: [[doubtful]], looks: [[yes]] })).squares.near).toBe(9);
  });

  test('have the roll at which they score best, even if they were found upright', async () => {
    const turns = [[], [], [], [{ ...upright, score: 0.75 }]];
    const { faces } = await search({ near: [[doubtful], [], ...turns], looks: [[yes]] });
    expect(faces).toHaveLength(1);
    expect(isUpsideDown(faces[0])).toBe(true);
  });

  test('are recognized in one close look, and the whole image follows in their turn', async () => {
    const other = { ...upright, x: 12, y: 12 };
    const near = [[doubtful], [halfTurned], [other]];
    const { faces, squares } = await search({ near, looks: [[yes, yes]] });
    expect(squares.near).toBe(3);
    expect(faces).toHaveLength(2);
    expect(faces.every(isUpsideDown)).toBe(true);
  });

  test('are recognized beside an upright one', async () => {
    const near = [[{ ...upright, x: 12, y: 52 }, doubtful], [], [halfTurned]];
    const { faces } = await search({ near, looks: [[yes, yes]] });
    expect(faces.map(isUpsideDown)).toEqual([false, true]);
  });

  /** Whether the eye on the left of an upright face is on the right. */
  const isUpsideDown = (face: Face | undefined) =>
    (face?.mesh.points[2 * 33] as number) > (face?.mesh.points[2 * 263] as number);
});

test('a face that an edge cuts is where a look past the edge shows it', async () => {
  const cut = { score: 0.9, x: 32, y: 10 };
  const further = { score: 0.8, x: 10, y: 7, size: 21 / 40 };
  const { faces } = await search({ near: [[cut], [further]], looks: [[yes]] });
  expect(faces).toMatchObject([{ box: { top: close(10 + (7 - 10) * (40 / 21) - 10) } }]);
});

test('only the largest candidates of a crowd get a close look', async () => {
  const crowd = Array.from({ length: 8 }, (_, i) => ({ score: 0.65, x: 8 * i + 4, y: 32, size: 0.3 }));
  const { squares } = await search({ near: [crowd], looks: [crowd.map(() => yes)] });
  expect(squares.near).toBe(1 + 4 + 7);
});

test('a near face of which only the large input is sure may be turned', async () => {
  const image = [640, 480] as const;
  const near = [[{ score: 0.6, x: 20, y: 20 }]];
  const small = [{ score: 0.9, x: 20, y: 20 }];
  const { squares } = await search({ near, small, image, looks: [[yes]] });
  expect(squares).toEqual({ near: 9, thorough: 1 });
});

describe('small faces', () => {
  const image = [640, 480] as const;
  const near = { score: 0.9, x: 20, y: 20 };
  const small = { score: 0.6, x: 44, y: 36 };

  test('are found beside a near one', async () => {
    const { faces, squares } = await search({
      near: [[near]],
      small: [near, small],
      image,
      looks: [[yes], [yes]],
    });
    // A close look at the small one, whose score is low.
    expect(squares).toEqual({ near: 2, thorough: 1 });
    expect(faces).toHaveLength(2);
  });

  test('are found on a card before a near one, but a part of the near one is no face', async () => {
    const card = { score: 0.7, x: 22, y: 24, size: 0.3 };
    const part = { ...card, size: 0.6 };
    const { faces } = await search({ near: [[near]], small: [card], image, looks: [[yes], [yes]] });
    expect(faces).toHaveLength(2);
    const other = await search({ near: [[near]], small: [part], image, looks: [[yes]] });
    expect(other.faces).toHaveLength(1);
  });

  test('are not looked for where an image has no more detail', async () => {
    const { squares } = await search({ near: [[near]], image: [320, 240], looks: [[yes]] });
    expect(squares).toEqual({ near: 1, thorough: 0 });
  });
});

test('an image of extreme shape is a strip of squares at the small input', async () => {
  const last = [{ score: 0.9, x: 30, y: 16 }];
  const near = [[], [], [], [], [], [], [], [], last];
  const { faces, squares } = await search({ near, image: [640, 64], looks: [[yes]] });
  // Squares of 128 pixels, each half a side further to the right.
  expect(squares).toEqual({ near: 9, thorough: 0 });
  expect(faces).toMatchObject([{ box: { left: close(512.5 + 2 * (30 - 10)), width: close(2 * 20) } }]);
});

test('a strip of any length has a bounded number of squares', async () => {
  const { squares } = await search({ near: [], image: [9_216, 100], looks: [] });
  expect(squares).toEqual({ near: 16, thorough: 16 });
});
