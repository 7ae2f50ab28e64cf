import { usualHabits } from './actor';
import { blank, type Rgb } from './image';
import { mirrored, type OldFrame, oldFrames } from './old-frames';

const habits = { ...usualHabits, sway: 0 };
/** Frames of a head that turned to its left by up to 40 degrees, each with the yaw as its level. */
const captured: OldFrame[] = Array.from({ length: 41 }, (_, yaw) => {
  const image = blank(4, 4);
  image.data.fill(yaw);
  return { image, fit: { points: [], pose: { yaw, pitch: 3, roll: 0 } } };
});
const levelOf = ({ data }: Rgb) => data[0] as number;

test('shows the earlier frames that come closest to the pose that the prompts need', async () => {
  const replay = oldFrames(captured, { habits });
  expect(levelOf(await replay.frameAt(0))).toBeLessThan(3);
  replay.instruct('left', 0);
  const turned = await replay.frameAt(habits.reactionMs + habits.moveMs);
  expect(Math.abs(levelOf(turned) - habits.yaw)).toBeLessThan(3);
});

test('never repeats an image at once, because a camera does not', async () => {
  const replay = oldFrames(captured, { habits });
  const shown: number[] = [];
  for (let ms = 0; ms < 1000; ms += 100) shown.push(levelOf(await replay.frameAt(ms)));
  for (let i = 4; i < shown.length; i++) expect(new Set(shown.slice(i - 4, i + 1)).size).toBe(5);
});

test('a mirrored frame has its columns in reverse', () => {
  const image = { width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 4, 5, 6) };
  expect([...mirrored(image).data]).toEqual([4, 5, 6, 1, 2, 3]);
});
