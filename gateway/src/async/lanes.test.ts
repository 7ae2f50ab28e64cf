import { Lanes } from './lanes';

const newGate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};
const done = async () => {};

test('work of a key that hangs leaves room for other keys', async () => {
  const gate = newGate();
  const lanes = new Lanes(8);
  let running = 0;
  for (let at = 0; at < 100; at++)
    void lanes.run('hanging', () => {
      running++;
      return gate.opened;
    });
  await lanes.run('healthy', done);
  expect(running).toBe(3);
  gate.open();
  await lanes.idle();
  expect(running).toBe(100);
});

test('never runs more at once than in total', async () => {
  const gate = newGate();
  const lanes = new Lanes(8);
  let running = 0;
  for (let at = 0; at < 100; at++)
    void lanes.run(`key ${at}`, () => {
      running++;
      return gate.opened;
    });
  expect(running).toBe(8);
  gate.open();
  await lanes.idle();
});

test('lanes take turns', async () => {
  const order: string[] = [];
  const lanes = new Lanes(1);
  const note = (text: string) => async () => void order.push(text);
  for (const text of ['a1', 'a2', 'a3', 'b1', 'b2']) void lanes.run(text.charAt(0), note(text));
  await lanes.idle();
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('reports the failure of work to its caller and continues', async () => {
  const lanes = new Lanes(1);
  await expect(lanes.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await lanes.run('a', done);
});

test('frees the slot of work that throws before it waits', async () => {
  const lanes = new Lanes(1);
  const failing = lanes.run('a', () => {
    throw new Error('at once');
  });
  await expect(failing).rejects.toThrow('at once');
  await lanes.run('b', async () => {});
  await lanes.idle();
});

test('stops without the work that waits, and after the work that runs', async () => {
  const gate = newGate();
  const lanes = new Lanes(1);
  let ended = false;
  const first = lanes.run('a', async () => {
    await gate.opened;
    ended = true;
  });
  const second = lanes.run('b', () => Promise.reject(new Error('not expected')));
  const stopped = lanes.stop();
  await second;
  expect(ended).toBe(false);
  gate.open();
  await stopped;
  expect(ended).toBe(true);
  await first;
});
