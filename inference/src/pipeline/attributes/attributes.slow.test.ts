/**
 * The attributes of faces with the real models on real photographs.
 *
 * Slow: it describes many faces with every attribute model.
 */
import sharp from 'sharp';
import { photo } from '../../../test/photos';
import { type LoadedModels, loadModels } from '../../../test/pipeline-models';
import { servingModels } from '../../../test/setup';
import type { Model } from '../../backends/backend';
import type { AttributeName, DetectedFace, Landmark, LandmarkType } from '../../wire/faces';
import { type DetectItem, type ManifestData, type Models, operations } from '../operations';
import { attributeNames } from './attributes';

let models: LoadedModels;
let manifestData: ManifestData;

beforeAll(async () => {
  models = await loadModels();
  ({ manifestData } = await servingModels());
});
afterAll(() => Promise.all(Object.values(models).map((model) => model.close())));

async function detectAll(items: readonly DetectItem[], used: Models = models): Promise<DetectedFace[][]> {
  const results = await Promise.all(items.map((item) => operations.detect(used, item, manifestData)));
  return results.map((result) => {
    if (!result.ok) throw new Error(`refused: ${result.reason}`);
    return [...result.value.faces];
  });
}
const detect = async (image: Uint8Array, attributes: readonly AttributeName[] = attributeNames) =>
  (await detectAll([{ image, attributes }]))[0] as DetectedFace[];

const known = new Map<number, Promise<DetectedFace[]>>();
/** The faces of an office photograph with all attributes, detected once. */
function facesOf(number: number): Promise<DetectedFace[]> {
  const faces = known.get(number) ?? detect(photo(number));
  known.set(number, faces);
  return faces;
}

const place = (landmarks: readonly Landmark[] | undefined, type: LandmarkType) =>
  landmarks?.find((landmark) => landmark.type === type) as Landmark;

test.each([3, 5, 6])('photograph %i: every attribute is present and in its range', async (number) => {
  for (const { boundingBox: box, occluded, attributes } of await facesOf(number)) {
    expect(occluded.confidence).toBeGreaterThanOrEqual(0.5);
    expect(occluded.confidence).toBeLessThanOrEqual(1);
    expect(Object.keys(attributes ?? {})).toEqual(attributeNames);
    const { landmarks, pose, emotions, ageRange, gender, accessories } = attributes ?? {};
    expect(new Set(landmarks?.map(({ type }) => type)).size).toBe(36);
    for (const { x, y } of landmarks ?? []) {
      expect(x).toBeGreaterThan(box.left - 0.01);
      expect(x).toBeLessThan(box.left + box.width + 0.01);
      expect(y).toBeGreaterThan(box.top - 0.01);
      expect(y).toBeLessThan(box.top + box.height + 0.01);
    }
    expect(Math.abs(pose?.yaw ?? 99)).toBeLessThan(60);
    expect(emotions?.reduce((sum, { confidence }) => sum + confidence, 0)).toBeCloseTo(1, 4);
    // Six women of about twenty to forty.
    expect(ageRange?.high).toBeGreaterThan(20);
    expect(ageRange?.low).toBeLessThan(40);
    expect(gender?.confidence).toBeGreaterThanOrEqual(0.5);
    expect(accessories).toEqual([]);
  }
});

test('photograph 3: three women without occlusion, the largest face happy', async () => {
  for (const { occluded, attributes } of await facesOf(3)) {
    expect(occluded.value).toBe(false);
    expect(attributes?.gender?.value).toBe('female');
  }
  const [largest] = await facesOf(3);
  expect(largest?.attributes?.emotions?.[0]?.type).toBe('happy');
});

test('left is the left of the person, and mirroring only swaps the sides', async () => {
  const [plain] = await facesOf(6);
  const [mirrored] = await detect(await sharp(photo(6)).flop().png().toBuffer());
  const points = plain?.attributes?.landmarks;
  expect(place(points, 'leftEyeCenter').x).toBeGreaterThan(place(points, 'rightEyeCenter').x);
  expect(place(points, 'forehead').y).toBeLessThan(place(points, 'noseTip').y);
  expect(place(points, 'noseTip').y).toBeLessThan(place(points, 'mouthCenter').y);
  expect(place(points, 'mouthCenter').y).toBeLessThan(place(points, 'chin').y);
  const theirs = mirrored?.attributes?.landmarks;
  const width = plain?.boundingBox.width ?? 0;
  for (const [left, right] of [
    ['leftEyeCenter', 'rightEyeCenter'],
    ['leftMouthCorner', 'rightMouthCorner'],
    ['leftEyebrowTop', 'rightEyebrowTop'],
    ['leftNostril', 'rightNostril'],
  ] as const) {
    expect(Math.abs(1 - place(theirs, left).x - place(points, right).x)).toBeLessThan(0.06 * width);
  }
  expect(mirrored?.attributes?.gender?.value).toBe(plain?.attributes?.gender?.value);
  expect(
    Math.abs((mirrored?.attributes?.ageRange?.low ?? 0) - (plain?.attributes?.ageRange?.low ?? 99)),
  ).toBeLessThan(10);
});

type Point = readonly [x: number, y: number];

interface Shape {
  readonly inside: (x: number, y: number) => boolean;
  /** Pixels that may be inside. */
  readonly area: { readonly left: number; readonly top: number; readonly side: number };
}

/** A photograph with the pixels inside shapes painted. */
async function paint(image: Buffer, shapes: readonly Shape[], color: readonly number[]) {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  for (const { inside, area } of shapes) {
    for (let y = area.top; y < area.top + area.side; y++) {
      for (let x = area.left; x < area.left + area.side; x++) {
        if (inside(x, y)) data.set(color, 3 * (y * info.width + x));
      }
    }
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Whether a point lies in a polygon: a ray from it crosses the outline an odd number of times. */
const within = (polygon: readonly Point[]) => (x: number, y: number) =>
  polygon.filter(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length] as Point;
    return ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay);
  }).length %
    2 ===
  1;

test('masks drawn on faces are occlusions, and dark lenses are sunglasses', async () => {
  const { width, height } = await sharp(photo(6)).metadata();
  const faces = await facesOf(6);
  const drawn = faces.map(({ attributes, boundingBox: box }): { mask: Shape; lenses: Shape } => {
    const at = (type: LandmarkType): Point => {
      const { x, y } = place(attributes?.landmarks, type);
      return [x * width, y * height];
    };
    const between = (a: LandmarkType, b: LandmarkType): Point => [
      (at(a)[0] + at(b)[0]) / 2,
      (at(a)[1] + at(b)[1]) / 2,
    ];
    const side = Math.round(1.5 * Math.max(box.width * width, box.height * height));
    const start = (center: number) => Math.max(0, Math.round(center - side / 2));
    const area = {
      left: start((box.left + box.width / 2) * width),
      top: start((box.top + box.height / 2) * height),
      side,
    };
    const mask = within([
      between('noseBridge', 'noseTip'),
      between('rightTemple', 'rightJaw'),
      at('rightJaw'),
      at('chin'),
      at('leftJaw'),
      between('leftTemple', 'leftJaw'),
    ]);
    const eyes = [at('leftEyeCenter'), at('rightEyeCenter')] as const;
    const unit = Math.hypot(eyes[0][0] - eyes[1][0], eyes[0][1] - eyes[1][1]);
    const lenses = (x: number, y: number) =>
      eyes.some(([ex, ey]) => Math.hypot((x - ex) / 0.46, (y - ey) / 0.36) < unit);
    return { mask: { inside: mask, area }, lenses: { inside: lenses, area } };
  });
  for (const { kind, color, accessory } of [
    { kind: 'mask', color: [156, 196, 220], accessory: 'mask' },
    { kind: 'lenses', color: [16, 16, 20], accessory: 'sunglasses' },
  ] as const) {
    const shapes = drawn.map((drawing) => drawing[kind]);
    const painted = await paint(photo(6), shapes, color);
    const detected = await detect(painted, ['accessories']);
    const same = faces.map(({ boundingBox: { left } }) =>
      detected.find((face) => Math.abs(face.boundingBox.left - left) < 0.04),
    );
    // The probe misses a fifth of the drawn masks (`accuracy/attributes`).
    expect(same.filter((face) => face?.occluded.value).length).toBeGreaterThanOrEqual(faces.length - 1);
    for (const face of same) {
      expect(face?.attributes?.accessories?.map(({ type }) => type)).toEqual([accessory]);
    }
  }
});

test('a batch gives the results of its items alone, each with its own attributes', async () => {
  const items: DetectItem[] = [
    { image: photo(4), attributes: ['pose', 'emotions'] },
    { image: photo(5) },
    { image: photo(6), attributes: ['gender', 'accessories'] },
  ];
  const batched = await detectAll(items);
  for (const [i, item] of items.entries()) {
    const [single = []] = await detectAll([item]);
    expect(batched[i]).toHaveLength(single.length);
    for (const [k, face] of single.entries()) {
      const other = batched[i]?.[k] as DetectedFace;
      expect(Object.keys(other.attributes ?? {})).toEqual(item.attributes ?? []);
      expect('attributes' in other).toBe(item.attributes !== undefined);
      expect(other.occluded.value).toBe(face.occluded.value);
      expect(other.occluded.confidence).toBeCloseTo(face.occluded.confidence, 3);
      const [theirs, ours] = [numbersOf(other.attributes), numbersOf(face.attributes)];
      expect(theirs).toHaveLength(ours.length);
      for (const [n, value] of theirs.entries()) expect(value).toBeCloseTo(ours[n] as number, 3);
    }
  }
});

const numbersOf = (attributes: unknown) =>
  (JSON.stringify(attributes ?? {}).match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []).map(Number);

test('models run only for the attributes that need them', async () => {
  const ran: string[] = [];
  const watched = (role: string, model: Model): Model => ({
    spec: model.spec,
    run: (pixels, batch) => {
      ran.push(role);
      return model.run(pixels, batch);
    },
  });
  const observed = Object.fromEntries(
    Object.entries(models).map(([role, model]) => [role, watched(role, model)]),
  ) as unknown as Models;
  const extra = async (...attributes: AttributeName[]) => {
    ran.length = 0;
    await detectAll([{ image: photo(3), attributes }], observed);
    return ran.filter((role) => !['near', 'thorough', 'mesh'].includes(role));
  };
  expect(await extra()).toEqual([]);
  expect(await extra('landmarks', 'pose')).toEqual([]);
  expect(await extra('emotions')).toEqual(['expression']);
  expect(await extra('ageRange', 'gender')).toEqual(['ageGender']);
  expect(await extra('accessories')).toEqual(['description']);
});
