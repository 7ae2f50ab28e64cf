import { PassThrough } from 'node:stream';
import { ask } from './ask';

const mode = { name: 'mode', choices: ['live', 'test'] };
const plan = { name: 'plan', choices: ['free', 'basic'] };

async function asked(questions: Parameters<typeof ask>[0], text: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(text);
  const chosen = await ask(questions, { input, output });
  return { chosen: chosen && Object.fromEntries(chosen), shown: String(output.read() ?? '') };
}

test('asks each question until the line is one of its choices', async () => {
  expect(await asked([mode, plan], 'prod\n\n test \nbasic\nmore')).toEqual({
    chosen: { mode: 'test', plan: 'basic' },
    shown: 'mode (live or test): mode (live or test): mode (live or test): plan (free or basic): ',
  });
});

test.each(['', 'live', 'live\nprod\n'])('chooses nothing if the input ends early, as in %j', async (text) => {
  expect((await asked([mode, plan], text)).chosen).toBeUndefined();
});

test('asks nothing without a question', async () => {
  expect(await asked([], 'live\n')).toEqual({ chosen: {}, shown: '' });
});
