import { Interrupted, Stop } from '../cli/stop.mjs';
import { together } from './setup.mjs';

const never = (abort: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    abort.addEventListener('abort', () => reject(abort.reason));
  });

it('stops the other parts of the set-up when one fails, and reports the failure', async () => {
  const { signal } = new AbortController();
  let reason: unknown;
  const other = (abort: AbortSignal) =>
    never(abort).catch((error) => {
      reason = error;
      throw error;
    });
  const failing = async () => {
    throw new Stop('no Redis');
  };
  await expect(together(signal, [other, failing])).rejects.toThrow('no Redis');
  expect(reason).toBeInstanceOf(Interrupted);
});

it('reports an interruption of all parts as such', async () => {
  const interruption = new AbortController();
  const running = together(interruption.signal, [never, never]);
  interruption.abort(new Interrupted('SIGINT'));
  await expect(running).rejects.toThrow('Stopped by SIGINT.');
});
