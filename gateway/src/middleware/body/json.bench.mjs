// Compares `parseJson` with JSON.parse and Buffer.from, on a body with one 5 MB image. Build the gateway first, then:
//   node gateway/src/middleware/body/json.bench.mjs

import { randomBytes } from 'node:crypto';
import { parseJson } from '../../../dist/middleware/body/json.js';

const image = randomBytes(5 * 1024 * 1024);
const body = Buffer.from(JSON.stringify({ image: `data:image/jpeg;base64,${image.toString('base64')}` }));

const contenders = {
  parseJson: () => parseJson(body).image,
  'JSON.parse': () => Buffer.from(JSON.parse(body.toString()).image.split(',')[1], 'base64'),
};
for (const [name, parse] of Object.entries(contenders)) {
  if (!parse().equals(image)) throw new Error(`${name} returned another image`);
  const start = performance.now();
  for (let i = 0; i < 50; i++) parse();
  console.log(`${name}: ${((performance.now() - start) / 50).toFixed(1)} ms for each body`);
}
