/**
 * Fits the face mesh of the built inference tier to photographs, in a separate process, because a test process cannot
 * load the runtime twice. Arguments: photographs. Prints a JSON line per photograph with its faces, largest first.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** @param {string} path */
const tier = (path) => require(`../../../../inference/dist/${path}.js`);

const { OnnxBackend } = tier('backends/onnx');
const { compiledPath } = tier('catalogue/compiled-path');
const { readCatalogue } = tier('catalogue/manifest');
const { defaultModelCache } = tier('catalogue/paths');
const { decodeImage } = tier('pipeline/image/decode');
const { findFaces } = tier('pipeline/faces/find-faces');
const { poseOf } = tier('pipeline/attributes/pose');

const catalogue = await readCatalogue();
const backend = new OnnxBackend();
/** @param {string} id */
const load = (id) => {
  const manifest = catalogue.find((/** @type {{ id: string }} */ entry) => entry.id === id);
  const path = compiledPath(manifest, process.env.MODELS_CACHE ?? defaultModelCache, 'float32');
  return backend.load({ ...manifest, path });
};
const [near, thorough, mesh] = await Promise.all(['yunet-256', 'yunet', 'facemesh'].map(load));

for (const photo of process.argv.slice(2)) {
  const image = await decodeImage(readFileSync(photo), 1920);
  const [faces] = await findFaces({ near, thorough, mesh }, [image]);
  const fits = faces.map(({ mesh: { points, depth } }) => ({
    points: Array.from(depth, (z, i) =>
      [points[2 * i], points[2 * i + 1], z].map((value) => Math.round(value * 100) / 100),
    ),
    pose: poseOf({ points, depth }),
  }));
  process.stdout.write(
    `${JSON.stringify({ photo, width: image.width, height: image.height, faces: fits })}\n`,
  );
}
await Promise.all([near, thorough, mesh].map((model) => model.close()));
