import { evaluate } from '../testing';

it('takes the same keypress twice for one, and a later one for insistence', async () => {
  const printed = await evaluate(`
    import { EventEmitter } from 'node:events';
    import { setImmediate as settled } from 'node:timers/promises';
    import { watchSignals } from './cli/interruption.mjs';
    const source = new EventEmitter();
    let now = 1000;
    const { abort, requested, insisted } = watchSignals(source, () => now);
    requested.then(() => print('requested'));
    insisted.then(() => print('insisted'));
    await settled();
    print(abort.aborted);
    source.emit('SIGINT');
    await settled();
    now += 5;
    source.emit('SIGINT');
    await settled();
    print(abort.reason.message);
    now += 2000;
    source.emit('SIGINT');
    await settled();`);
  expect(printed).toEqual([false, 'requested', 'Stopped by SIGINT.', 'insisted']);
});
