import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { matchBoxes, reportOf } from './detection';
import { renderDetection } from './detection-page';
import { type AnnotatedFace, readWiderFace, widerFace } from './wider-face';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wider-face-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(list: readonly string[], images: readonly string[]): void {
  const files = [
    ...images.map((name) => [join(widerFace.images, name), '']),
    [widerFace.list, list.join('\n')],
  ];
  for (const [file = '', text = ''] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

const parade = '0--Parade/0_Parade_Parade_0_465.jpg';
const empty = '0--Parade/0_Parade_Parade_0_452.jpg';

test('reads boxes, their groups, and images without a face', () => {
  const faces = ['345 211 40 60 0 0 0 0 0 0 ', '10 20 8 9 2 0 1 0 2 1 ', '30 40 400 500 1 0 0 1 1 0'];
  write([parade, '3', ...faces, empty, '0', '0 0 0 0 0 0 0 0 0 0 ', ''], [parade, empty]);
  expect(readWiderFace(folder)).toEqual([
    {
      path: join(folder, widerFace.images, parade),
      faces: [
        {
          box: { left: 345, top: 211, width: 40, height: 60 },
          isIgnored: false,
          groups: ['50 to 299 pixels', 'clear', 'no occlusion', 'typical pose'],
        },
        expect.objectContaining({
          isIgnored: true,
          groups: ['10 to 49 pixels', 'heavy blur', 'heavy occlusion', 'atypical pose'],
        }),
        expect.objectContaining({ isIgnored: true }),
      ],
    },
    { path: join(folder, widerFace.images, empty), faces: [] },
  ]);
});

test.each([
  [[parade, '1', '1 2 3 4 0 0 0 0 0 0'], [], /wider_face_val_bbx_gt\.txt, line 1: .*465\.jpg is missing/],
  [[parade, '2', '1 2 3 4 0 0 0 0 0 0'], [parade], /wider_face_val_bbx_gt\.txt, line 4: not 10 numbers/],
  [[parade, empty], [parade, empty], /line 1: the next line is not the number of faces/],
  [[''], [], /names no image/],
])('names the line that is wrong: %#', (list, images, message) => {
  write(list, images);
  expect(() => readWiderFace(folder)).toThrow(message);
});

test('names the list that is missing', () => {
  expect(() => readWiderFace(folder)).toThrow(
    /wider_face_val_bbx_gt\.txt cannot be read\. The recipe for WIDER/,
  );
});

const face = (left: number, { height = 100, isIgnored = false } = {}): AnnotatedFace => ({
  box: { left, top: 0, width: 100, height },
  isIgnored,
  groups: [height < 100 ? '10 to 49 pixels' : '50 to 299 pixels', 'clear', '', 'typical pose'],
});

test('a face counts for one box, and a box of an ignored face counts neither way', () => {
  const [first, second, ignored] = [face(0), face(300), face(600, { isIgnored: true })];
  const boxes = [first, first, ignored].map(({ box }) => box);
  const { matched, wrong } = matchBoxes([first, second, ignored], [...boxes, { ...second.box, left: 350 }]);
  // The last box shares a third of the union with the second face.
  expect([...matched]).toEqual([first]);
  expect(wrong).toBe(2);
});

describe('the report', () => {
  const faces = [face(0), face(300, { height: 40 }), face(600, { isIgnored: true })];
  const images = Array.from({ length: 40 }, (_, i) => ({ path: `${i}.jpg`, faces }));
  // The small face is missed in each second image, and the last image cannot be read.
  const detections = images.map((_, i) => {
    if (i === 39) return undefined;
    return faces.slice(0, 1 + (i % 2)).map(({ box }) => box);
  });
  const report = reportOf(images, detections, { models: ['drawn'], precision: 'float32', now: new Date(0) });

  test('has rates of missed faces and false boxes, and the missed faces by group', () => {
    expect(report).toMatchObject({ images: 40, unreadable: 1, ignored: 40 });
    expect(report.overall).toMatchObject({ faces: 80, detected: 58, missed: { errors: 22, rate: 22 / 80 } });
    expect(report.falseBoxes).toMatchObject({ boxes: 58, wrong: 0, rate: { errors: 0, rate: 0 } });
    const [heights] = report.columns;
    expect(heights).toMatchObject({
      name: 'height',
      groups: [
        { group: '10 to 49 pixels', faces: 40, missed: { errors: 21 } },
        { group: '50 to 299 pixels', faces: 40, missed: { errors: 1 } },
      ],
    });
  });

  test('is a page that says that its rates are no average precision', () => {
    const page = renderDetection(report);
    expect(page).toContain('no average precision');
    expect(page).toContain('40 images with 80 faces');
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:/);
  });
});
