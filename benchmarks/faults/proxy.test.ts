import { evaluate } from '../lib/testing';

/** Runs steps against an echo server behind a proxy, over real sockets. @param body may use echo, proxy, dial, said */
const play = <T>(body: string): T =>
  evaluate<T>(
    `import { once } from 'node:events';
     import { connect, createServer } from 'node:net';
     import { FaultProxy } from './faults/proxy.mjs';
     const sockets = [];
     const echo = createServer((socket) => {
       sockets.push(socket);
       socket.on('error', () => {}).pipe(socket);
     }).listen(0, '127.0.0.1');
     await once(echo, 'listening');
     const proxy = await FaultProxy.listen(echo.address().port);
     const dial = async () => {
       const socket = connect(proxy.port, '127.0.0.1');
       socket.fate = new Promise((resolve) => {
         socket.on('error', (error) => resolve(error.code)).on('close', () => resolve('closed'));
       });
       await Promise.race([once(socket, 'connect'), socket.fate]);
       return socket;
     };
     const said = async (socket, text) => {
       const begin = performance.now();
       socket.write(text);
       let heard = 0;
       while (heard < text.length) heard += (await once(socket, 'data'))[0].length;
       return performance.now() - begin;
     };
     const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
     const play = async () => { ${body} };
     const result = await play();
     await proxy.close();
     for (const socket of sockets) socket.destroy();
     echo.close();`,
    'result',
  );

test('forwards both ways, and the end of each direction', () => {
  const fate = play<string[]>(
    `const one = await dial();
     await said(one, 'x'.repeat(300_000));
     one.end();
     return [await one.fate, String(proxy.connections)];`,
  );
  expect(fate[0]).toBe('closed');
});

test('holds bytes in bounds, and passes all of them on in their order', () => {
  // More than the buffers of two sockets take: the rest waits with the sender.
  const seen = play<{ meanwhile: number; left: boolean; whole: boolean }>(
    `const one = await dial();
     await said(one, 'first');
     const heard = [];
     let bytes = 0;
     one.on('data', (chunk) => { heard.push(chunk); bytes += chunk.length; });
     proxy.hold(['up']);
     const sent = Buffer.alloc(16 << 20, 'abcdefg');
     one.write(sent);
     await pause(100);
     const seen = { meanwhile: bytes, left: one.writableLength > 0 };
     await proxy.heal();
     while (bytes < sent.length) await once(one, 'data');
     one.destroy();
     return { ...seen, whole: Buffer.concat(heard).equals(sent) };`,
  );
  expect(seen).toEqual({ meanwhile: 0, left: true, whole: true });
});

test('slow: a delay for each way, and no more than the bandwidth', () => {
  const [before, late, narrow] = play<number[]>(
    `const one = await dial();
     const before = await said(one, 'x');
     proxy.slow({ latencyMs: 60 });
     const late = await said(one, 'x');
     await proxy.heal();
     proxy.slow({ bytesPerSecond: 200_000 }, ['down']);
     const narrow = await said(one, 'x'.repeat(40_000));
     one.destroy();
     return [before, late, narrow];`,
  ) as [number, number, number];
  expect(before).toBeLessThan(60);
  expect(late).toBeGreaterThanOrEqual(119);
  // The last piece is on its way when the line counts it.
  expect(narrow).toBeGreaterThanOrEqual(170);
});

test('cut resets what is open and nothing later; refuse lets nobody in until it heals', () => {
  expect(
    play(
      `const one = await dial();
       await said(one, 'x');
       proxy.cut();
       const first = await one.fate;
       const two = await dial();
       await said(two, 'x');
       await proxy.refuse();
       const second = await two.fate;
       const third = await (await dial()).fate;
       await proxy.heal();
       const four = await dial();
       await said(four, 'x');
       four.destroy();
       return [first, second, third];`,
    ),
  ).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNREFUSED']);
});

test('a partition accepts and swallows; it resets when it heals', () => {
  expect(
    play(
      `const one = await dial();
       await said(one, 'x');
       proxy.partition();
       const two = await dial();
       let heard = 0;
       for (const socket of [one, two]) socket.on('data', () => heard++).write('hello?');
       const meanwhile = await Promise.race([one.fate, two.fate, pause(50).then(() => 'silence')]);
       await proxy.heal();
       const fates = [await one.fate, await two.fate];
       await said(await dial(), 'x').then(() => proxy.cut());
       return [meanwhile, heard, ...fates];`,
    ),
  ).toEqual(['silence', 0, 'ECONNRESET', 'ECONNRESET']);
});

test('half open: the far end is gone, the near one hears nothing, others get through', () => {
  expect(
    play(
      `const one = await dial();
       await said(one, 'x');
       const gone = new Promise((resolve) => sockets[0].once('close', resolve));
       proxy.halfOpen();
       await gone;
       let heard = 0;
       one.on('data', () => heard++).write('hello?');
       await said(await dial(), 'x');
       const fate = await Promise.race([one.fate, pause(50).then(() => 'silence')]);
       proxy.cut();
       return [fate, heard];`,
    ),
  ).toEqual(['silence', 0]);
});

test('nobody behind it: the connection is reset', () => {
  expect(
    play(
      `proxy.target = () => undefined;
       return (await dial()).fate;`,
    ),
  ).toBe('ECONNRESET');
});
