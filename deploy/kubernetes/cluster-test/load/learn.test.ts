import { everyQuestion } from '../../../../gateway/harness/operations.mjs';
import { Truth } from '../../../../gateway/harness/truth.mjs';
import { learnFrom } from './learn.mjs';

const images = ['data:image/jpeg;base64,AAAA', 'data:image/jpeg;base64,BBBB'];
const questions = everyQuestion(images);
const broken = questions.filter(({ body }) => body.includes('/9j/'));
const data = { faceCount: 1, detectedElements: [], matchedFaces: [], unmatchedFaces: [] };

test('the results of valid requests and the refusals of broken images are learned', () => {
  const truth = new Truth();
  const learn = learnFrom(truth, images);
  for (const question of questions) {
    learn(question, 0, broken.includes(question) ? { status: 400 } : { status: 200, data });
  }
  expect(truth.known).toHaveLength(questions.length);
  expect(truth.known.filter(([, { status }]) => status === 400)).toHaveLength(broken.length);
});

test('an error of a valid request is never taken for its right result', () => {
  const valid = questions.filter((question) => !broken.includes(question));
  expect(valid).toHaveLength(8);
  for (const question of valid) {
    const truth = new Truth();
    expect(() => learnFrom(truth, images)(question, 0, { status: 402 })).toThrow(
      `A valid request to ${question.path} has the status 402.`,
    );
    expect(truth.known).toEqual([]);
  }
});
