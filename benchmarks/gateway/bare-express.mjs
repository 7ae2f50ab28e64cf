/**
 * What Express takes by itself: reads and parses the body as the gateway does and answers what the gateway answers,
 * with nothing in between.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import express from 'express';
import { gatewayFile } from '../lib/paths.mjs';

const { readBody } = createRequire(import.meta.url)(gatewayFile('middleware', 'body', 'index.js'));
const example = {
  success: true,
  data: {
    hasFace: true,
    faceCount: 1,
    faces: [
      {
        confidence: 0.000_041_5,
        boundingBox: { left: 0.26, top: 0.24, width: 0.48, height: 0.6 },
        quality: { brightness: 0.63, sharpness: 0.81 },
        occluded: { value: false, confidence: 0.96 },
      },
    ],
  },
  requestId: 'req_5Jx2c0QmVb7uZr9LhT3kWn1A',
};

const app = express();
app.disable('etag');
app.post('/detect', readBody({ maxBytes: 2 ** 20, forms: 'json' }), (_req, res) => {
  res.json(example);
});
const server = createServer({ keepAliveTimeout: 65_000 }, app).listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` }));
});
