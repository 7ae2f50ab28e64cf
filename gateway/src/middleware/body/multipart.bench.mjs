// Compares `readForm` with busboy, on a form with one 2 MB image and two fields. Build the gateway first, then:
//   node gateway/src/middleware/body/multipart.bench.mjs

import { randomBytes } from 'node:crypto';
import busboy from 'busboy';
import { readForm } from '../../../dist/middleware/body/multipart.js';

const image = randomBytes(2 * 1024 * 1024);
const boundary = 'x-presenza-boundary';
const part = (head, content) => [
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`,
  content,
  '\r\n',
];
const body = Buffer.concat(
  [
    ...part('name="image"; filename="a.jpg"', image),
    ...part('name="attributes"', 'age'),
    ...part('name="attributes"', 'emotion'),
    `--${boundary}--\r\n`,
  ].map((piece) => Buffer.from(piece)),
);
const contentType = `multipart/form-data; boundary=${boundary}`;

/** Collects each file into one buffer, as the gateway needs it. */
const withBusboy = () =>
  new Promise((resolve, reject) => {
    const fields = [];
    const parser = busboy({ headers: { 'content-type': contentType } });
    parser.on('file', (name, stream) => {
      const chunks = [];
      stream
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => fields.push([name, Buffer.concat(chunks)]));
    });
    parser.on('field', (name, value) => fields.push([name, value]));
    parser.on('close', () => resolve(fields)).on('error', reject);
    parser.end(body);
  });

const contenders = { readForm: async () => readForm(body, contentType), busboy: withBusboy };
for (const [name, parse] of Object.entries(contenders)) {
  const fields = await parse();
  if (!fields.find(([field]) => field === 'image')[1].equals(image)) throw new Error(`${name} is wrong`);
  const start = performance.now();
  for (let i = 0; i < 200; i++) await parse();
  console.log(`${name}: ${((performance.now() - start) / 200).toFixed(3)} ms for each form`);
}
