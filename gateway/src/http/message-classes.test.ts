import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { messageClasses } from './message-classes';

async function respond(listener: RequestListener, app = listener) {
  const server = createServer(messageClasses(app), listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`);
  const text = await response.text();
  server.close();
  return text;
}

test('messages have the prototypes of the app before it handles them, and keep its methods', async () => {
  const app = express();
  let before: unknown[] = [];
  app.get('/a', (req, res) => {
    expect(before).toEqual([Object.getPrototypeOf(req), Object.getPrototypeOf(res)]);
    res.json({ query: req.query, app: req.app === app && res.app === app });
  });
  const text = await respond((req, res) => {
    before = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)];
    app(req, res);
  }, app);
  expect(JSON.parse(text)).toEqual({ query: { b: 'c' }, app: true });
});

test('a listener that is no Express app gets the classes of Node', async () => {
  expect(await respond((req, res) => res.end(`${req.constructor.name} ${res.constructor.name}`))).toBe(
    'IncomingMessage ServerResponse',
  );
});
