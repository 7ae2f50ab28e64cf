import { refuseArguments } from './arguments.mjs';

test('a command without arguments ends with a sentence if it gets some', () => {
  expect(() => refuseArguments('npm run build', ['--help'])).toThrow(
    'npm run build takes no arguments (--help).',
  );
  expect(() => refuseArguments('npm run build', [])).not.toThrow();
});
