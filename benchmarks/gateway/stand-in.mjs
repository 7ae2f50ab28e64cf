/**
 * In place of the inference tier, where the gateway is what is measured: takes any picture, waits STAND_IN_MS and
 * answers one face. How long it took, from the last byte of the picture to the answer, it writes where the gateway
 * passes it on to the client: in seconds, as the confidence of the face.
 */
import { createServer } from 'node:http';

const waitMs = Number(process.env.STAND_IN_MS ?? 0);

const face = {
  boundingBox: { left: 0.26, top: 0.24, width: 0.48, height: 0.6 },
  quality: { brightness: 0.63, sharpness: 0.81 },
  occluded: { value: false, confidence: 0.96 },
};

const server = createServer((req, res) => {
  req.resume().once('end', () => {
    const begin = performance.now();
    const answer = () => {
      const totalMs = performance.now() - begin;
      const reply = { faces: [{ confidence: totalMs / 1e3, ...face }], timings: { totalMs } };
      const body = JSON.stringify(reply);
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      res.end(body);
    };
    if (waitMs > 0) setTimeout(answer, waitMs);
    else answer();
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` }));
});
