import { EventEmitter } from 'node:events';
import { setImmediate as settled } from 'node:timers/promises';
import { watchSignals } from './interruption.mjs';

it('takes the signals of one keypress for one, and a later signal for a second request', async () => {
  const seen: string[] = [];
  const source = new EventEmitter();
  let now = 1000;
  const { abort, requested, insisted } = watchSignals(source, () => now);
  void requested.then(() => seen.push('requested'));
  void insisted.then(() => seen.push('insisted'));
  await settled();
  expect([abort.aborted, seen]).toEqual([false, []]);
  source.emit('SIGINT');
  await settled();
  now += 5;
  source.emit('SIGINT');
  await settled();
  expect([abort.reason.message, seen]).toEqual(['Stopped by SIGINT.', ['requested']]);
  now += 2000;
  source.emit('SIGINT');
  await settled();
  expect(seen).toEqual(['requested', 'insisted']);
});

it('takes a reader that has ended for a request to stop, but no other error of the output', async () => {
  const [source, output] = [new EventEmitter(), new EventEmitter()];
  const { abort, requested } = watchSignals(source, undefined, output);
  output.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }));
  expect(abort.aborted).toBe(false);
  output.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }));
  await requested;
  expect(abort.reason.message).toBe('Stopped by the end of the program that reads the output.');
});
