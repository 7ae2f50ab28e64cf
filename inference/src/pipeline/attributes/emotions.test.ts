import { emotionsOf } from './emotions';

/** Order of the model: neutral, happy, sad, angry, fearful, disgusted, surprised. */
const clear = [0.02, 0.9, 0.02, 0.02, 0.02, 0.01, 0.01];
const undecided = [0.4, 0.02, 0.3, 0.2, 0.04, 0.02, 0.02];

/** Eyes two units wide with relaxed brows, or with brows that are lower and closer together. */
function face(furrowed: boolean) {
  const points = new Float32Array(2 * 468);
  const put = (index: number, x: number, y: number) => points.set([x, y], 2 * index);
  const [gap, height] = furrowed ? [0.24, 0.2] : [0.28, 0.24];
  put(33, -1, 0);
  put(263, 1, 0);
  put(133, -gap, 0);
  put(362, gap, 0);
  put(159, -0.65, 0);
  put(386, 0.65, 0);
  put(55, -gap, -2 * height);
  put(285, gap, -2 * height);
  put(65, -0.65, -2 * height);
  put(295, 0.65, -2 * height);
  return { points, depth: new Float32Array(468) };
}
const confidences = (probabilities: number[], furrowed: boolean) =>
  Object.fromEntries(
    emotionsOf(probabilities, face(furrowed)).map(({ type, confidence }) => [type, confidence]),
  );

test('returns all eight emotions, most likely first, with a sum of one', () => {
  for (const probabilities of [clear, undecided]) {
    for (const furrowed of [true, false]) {
      const emotions = emotionsOf(probabilities, face(furrowed));
      expect(emotions.map(({ type }) => type).sort()).toEqual(
        ['happy', 'sad', 'angry', 'surprised', 'fear', 'disgust', 'calm', 'confused'].sort(),
      );
      const values = emotions.map(({ confidence }) => confidence);
      expect(values).toEqual([...values].sort((a, b) => b - a));
      expect(values.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6);
    }
  }
});

test('confused requires both indecision and furrowed brows', () => {
  expect(emotionsOf(undecided, face(true))[0]?.type).toBe('confused');
  expect(confidences(undecided, false).confused).toBe(0);
  expect(confidences(clear, true).confused).toBeLessThan(confidences(undecided, true).confused as number);
  expect(emotionsOf(clear, face(true))[0]?.type).toBe('happy');
  expect(confidences([1, 0, 0, 0, 0, 0, 0], true)).toMatchObject({ calm: 1, confused: 0 });
});
