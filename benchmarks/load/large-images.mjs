/** Photographs as large as the API takes them, over the whole way. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { figure } from '../lib/report.mjs';
import { resourceFigures } from './figures.mjs';
import {
  byOperation,
  latencyTable,
  p95Bars,
  resourceTable,
  thresholdTable,
  unservedBar,
  wrongBar,
} from './parts.mjs';
import { largePhotographs } from './pictures.mjs';
import { applyScript, withWorld } from './world.mjs';

const { image } = JSON.parse(readFileSync(join(ROOT, 'gateway', 'contract', 'limits.json'), 'utf8'));

/** @type {import('../lib/types').Measurement} */
export const largeImages = {
  name: 'load/large-images',
  answers:
    'How long do photographs of 12 to 36 megapixels in files of up to 5 MB take, and what memory do they need?',
  parameters: { seconds: 20, clients: 2 },
  quick: { seconds: 6 },

  async run({ seconds, clients }, log) {
    const pictures = await largePhotographs(image.maxBytes);
    log(pictures.map(({ name, bytes }) => `${name}: ${figure(bytes / 1e6)} MB`).join(', '));
    return withWorld({ pictures }, async (world) => {
      const settings = { mix: { detect: 1 }, clients, seconds };
      const run = await applyScript(world, 'large-images.ts', settings);
      const rows = byOperation(run.answers);
      return {
        bars: [wrongBar(run), unservedBar(run), ...p95Bars(rows, ['detect'], 'large photographs')],
        figures: {
          clients,
          pictures: pictures.map(({ name, bytes, faces }) => ({ name, bytes, faces })),
          rows: [...rows, ...byOperation(run.answers, ({ picture }) => picture)],
          thresholds: run.thresholds,
          resources: resourceFigures(run.samples),
        },
      };
    });
  },

  report: ({ clients, pictures, rows, resources, thresholds }) => [
    {
      ...latencyTable(rows, `Detection, ${clients} clients that ask again at once`),
      remark: `Enlarged photographs with a camera's grain: ${pictures.map((/** @type {any} */ one) => `${one.name} in ${figure(one.bytes / 1e6)} MB with ${one.faces} faces`).join(', ')}. The time includes sending base64 of that size.`,
    },
    resourceTable(resources),
    thresholdTable(thresholds),
  ],
};
