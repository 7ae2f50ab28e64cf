import { PATIENCE_MS, watchPatience } from './patience';
import type { Guidance } from './wire';

/** Milliseconds between two frames of the page. */
const frameMs = 200;

function watch() {
  const stuck: Guidance[] = [];
  let nowMs = 0;
  const see = watchPatience(
    (guidance) => stuck.push(guidance),
    () => nowMs,
  );
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const frames = (step: number, guidance: Guidance, ms: number) => {
    for (let at = 0; at < ms; at += frameMs) {
      see(`step ${step}`, guidance);
      pass(frameMs);
    }
  };
  return { stuck, see, pass, frames };
}

test('a prompt stands for at most 12 s before help is offered', () => {
  const { stuck, frames } = watch();
  frames(0, 'tooDark', 12_000);
  expect(stuck).toEqual(['tooDark']);
});

test('no help is offered while the steps go on', () => {
  const { stuck, frames } = watch();
  for (const step of [0, 1, 2, 3]) frames(step, 'ok', PATIENCE_MS - 2 * frameMs);
  expect(stuck).toEqual([]);
});

test('a change of the guidance does not start the time anew, and the most frequent one counts', () => {
  const { stuck, frames } = watch();
  frames(0, 'noFace', 2_000);
  frames(0, 'tooFar', 7_000);
  frames(0, 'tooDark', 3_000);
  expect(stuck).toEqual(['tooFar']);
});

test('help is offered again for another problem at the same prompt', () => {
  const { stuck, frames } = watch();
  frames(1, 'tooDark', PATIENCE_MS + 2 * frameMs);
  frames(1, 'turnFurther', PATIENCE_MS + 2 * frameMs);
  expect(stuck).toEqual(['tooDark', 'turnFurther']);
});

test('time without a response does not count', () => {
  const { stuck, see, pass, frames } = watch();
  frames(0, 'ok', 4_000);
  pass(60_000);
  expect(stuck).toEqual([]);
  see('step 0', 'ok');
  frames(0, 'ok', 3_000);
  expect(stuck).toEqual([]);
  frames(0, 'ok', 2_000);
  expect(stuck).toEqual(['ok']);
});

test('a slow gateway does not keep help from a person', () => {
  const { stuck, see, pass } = watch();
  for (let at = 0; at < 12_000; at += 1_500) {
    pass(1_500);
    see('step 0', 'tooFar');
  }
  expect(stuck).toEqual(['tooFar']);
});
