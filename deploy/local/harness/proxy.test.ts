import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs steps against an echo server behind a proxy, over real sockets. @param body may use proxy, dial, echo */
async function play<T>(body: string): Promise<T> {
  const code = `import { once } from 'node:events';
     import { connect, createServer } from 'node:net';
     import { FaultProxy } from './proxy.mjs';
     const sockets = [];
     const server = createServer((socket) => {
       sockets.push(socket);
       socket.on('error', () => {}).pipe(socket);
     }).listen(0, '127.0.0.1');
     await once(server, 'listening');
     const proxy = await FaultProxy.listen(server.address().port);
     const dial = async () => {
       const socket = connect(proxy.port, '127.0.0.1');
       socket.fate = new Promise((resolve) => {
         socket.on('error', (error) => resolve(error.code)).on('close', () => resolve('closed'));
       });
       await Promise.race([once(socket, 'connect'), socket.fate]);
       return socket;
     };
     const echo = async (socket, text) => {
       const begin = performance.now();
       socket.write(text);
       let received = 0;
       while (received < text.length) received += (await once(socket, 'data'))[0].length;
       return performance.now() - begin;
     };
     const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
     const play = async () => { ${body} };
     console.log(JSON.stringify(await play()));
     await proxy.close();
     for (const socket of sockets) socket.destroy();
     server.close();`;
  const args = ['--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: __dirname });
  return JSON.parse(stdout);
}

test('forwards both directions, and the end of each', async () => {
  const fate = await play<string[]>(
    `const one = await dial();
     await echo(one, 'x'.repeat(300_000));
     one.end();
     return [await one.fate, String(proxy.connections)];`,
  );
  expect(fate[0]).toBe('closed');
});

test('holds a bounded number of bytes, and forwards all of them in order', async () => {
  // More than the buffers of two sockets hold: the rest stays with the sender.
  const seen = await play<{ meanwhile: number; left: boolean; whole: boolean }>(
    `const one = await dial();
     await echo(one, 'first');
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

test('slow adds a delay to each direction, and limits the bandwidth', async () => {
  const [before, late, narrow] = (await play<number[]>(
    `const one = await dial();
     const before = await echo(one, 'x');
     proxy.slow({ latencyMs: 60 });
     const late = await echo(one, 'x');
     await proxy.heal();
     proxy.slow({ bytesPerSecond: 200_000 }, ['down']);
     const narrow = await echo(one, 'x'.repeat(40_000));
     one.destroy();
     return [before, late, narrow];`,
  )) as [number, number, number];
  expect(before).toBeLessThan(60);
  expect(late).toBeGreaterThanOrEqual(119);
  // The last piece is sent when its time starts.
  expect(narrow).toBeGreaterThanOrEqual(170);
});

test('cut resets open connections only; refuse rejects new ones until it heals', async () => {
  expect(
    await play(
      `const one = await dial();
       await echo(one, 'x');
       proxy.cut();
       const first = await one.fate;
       const two = await dial();
       await echo(two, 'x');
       await proxy.refuse();
       const second = await two.fate;
       const third = await (await dial()).fate;
       await proxy.heal();
       const four = await dial();
       await echo(four, 'x');
       four.destroy();
       return [first, second, third];`,
    ),
  ).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNREFUSED']);
});

test('a partition accepts connections and drops bytes; it resets them when it heals', async () => {
  expect(
    await play(
      `const one = await dial();
       await echo(one, 'x');
       proxy.partition();
       const two = await dial();
       let heard = 0;
       for (const socket of [one, two]) socket.on('data', () => heard++).write('hello?');
       const meanwhile = await Promise.race([one.fate, two.fate, pause(50).then(() => 'silence')]);
       await proxy.heal();
       const fates = [await one.fate, await two.fate];
       await echo(await dial(), 'x').then(() => proxy.cut());
       return [meanwhile, heard, ...fates];`,
    ),
  ).toEqual(['silence', 0, 'ECONNRESET', 'ECONNRESET']);
});

test('half-open: the far end is gone, the near end gets nothing, new connections work', async () => {
  expect(
    await play(
      `const one = await dial();
       await echo(one, 'x');
       const gone = new Promise((resolve) => sockets[0].once('close', resolve));
       proxy.halfOpen();
       await gone;
       let heard = 0;
       one.on('data', () => heard++).write('hello?');
       await echo(await dial(), 'x');
       const fate = await Promise.race([one.fate, pause(50).then(() => 'silence')]);
       proxy.cut();
       return [fate, heard];`,
    ),
  ).toEqual(['silence', 0]);
});

test('without a target the connection is reset', async () => {
  expect(
    await play(
      `proxy.target = () => undefined;
       return (await dial()).fate;`,
    ),
  ).toBe('ECONNRESET');
});
