/** Servers beside the gateway under test, each in its own process: `node servers.mjs NAME`. */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../gateway/harness/index.mjs';
import { gatewayFile } from '../lib/paths.mjs';

const face = {
  boundingBox: { left: 0.26, top: 0.24, width: 0.48, height: 0.6 },
  quality: { brightness: 0.63, sharpness: 0.81 },
  occluded: { value: false, confidence: 0.96 },
};

/**
 * In place of the inference tier: takes any image, waits STAND_IN_MS and responds with one face. The time from the last
 * byte of the image to the response is the confidence of the face, in seconds, which the gateway passes on.
 */
function standIn() {
  const waitMs = Number(process.env.STAND_IN_MS ?? 0);
  return createServer((req, res) => {
    req.resume().once('end', () => {
      const begin = performance.now();
      const respond = () => {
        const totalMs = performance.now() - begin;
        const reply = { faces: [{ confidence: totalMs / 1e3, ...face }], timings: { totalMs } };
        const body = JSON.stringify(reply);
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
        res.end(body);
      };
      if (waitMs > 0) setTimeout(respond, waitMs);
      else respond();
    });
  });
}

/** Longer than any pause between two rounds of load. */
const patience = { keepAliveTimeout: 65_000 };

/** Express alone: parses the body and responds as the gateway does, with nothing in between. */
async function bareExpress() {
  const { default: express } = await import('express');
  const { readBody } = await import('../../gateway/dist/middleware/body/index.js');
  const response = {
    success: true,
    data: { hasFace: true, faceCount: 1, faces: [{ confidence: 0.000_041_5, ...face }] },
    requestId: 'req_5Jx2c0QmVb7uZr9LhT3kWn1A',
  };
  const app = express();
  app.disable('etag');
  app.post('/detect', readBody({ maxBytes: 2 ** 20, forms: 'json' }), (_req, res) => {
    res.json(response);
  });
  return createServer(patience, app);
}

/**
 * The hops of a request alone: sends the body on to INFERENCE_URL, with a round trip to Redis before and after it, and
 * checks and counts nothing.
 */
function bareProxy() {
  const load = createRequire(gatewayFile('main.js'));
  const { Redis } = load('ioredis');
  const { Pool } = load('undici');
  const redis = new Redis(process.env.REDIS_URL);
  const inference = new Pool(process.env.INFERENCE_URL);
  return createServer(patience, async (req, res) => {
    const body = await buffer(req);
    await redis.ping();
    const reply = await inference.request({ method: 'POST', path: '/', body });
    const { faces } = await reply.body.json();
    await redis.ping();
    const response = JSON.stringify({ success: true, data: { faceCount: faces.length, faces } });
    res.setHeader('content-type', 'application/json').end(response);
  });
}

const servers = { 'stand-in': standIn, 'bare-express': bareExpress, 'bare-proxy': bareProxy };

/** @param {keyof typeof servers} name @param {Record<string, string>} [env] */
export async function startServer(name, env = {}) {
  const running = await startProcess(process.execPath, [fileURLToPath(import.meta.url), name], {
    name,
    env: { NODE_ENV: 'production', ...env },
    ready: 'listening',
  });
  return Object.assign(running, { url: running.readyLine.split(' ')[1] });
}

/** @param {string} name */
async function serve(name) {
  const server = await servers[name]();
  server.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${server.address().port}`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void serve(process.argv[2]);
