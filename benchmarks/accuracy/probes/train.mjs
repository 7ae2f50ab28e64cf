/**
 * `node benchmarks/accuracy/probes/train.mjs`: fits the probes for occlusion and accessories and writes them into the
 * manifests of the models whose features they use. Needs the built tier with its compiled models, and LFW as test
 * material. Trains on two thirds of the people; `accuracy/attributes` measures on the others. About six minutes.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import { lfwImage } from '../../lib/material.mjs';
import { ROOT } from '../../lib/paths.mjs';
import { nearestToCenter } from '../matching.mjs';
import { fitLogistic } from './logistic.mjs';
import { allSamples, draw, inPixels, truths } from './samples.mjs';

/** @typedef {import('./samples.mjs').Sample} Sample */
/** @typedef {{ sample: Sample, mesh: Float32Array, description: Float32Array }} Example */

const require = createRequire(import.meta.url);
/** @param {string} path @returns {any} a module of the built tier */
const tier = (path) => require(join(ROOT, 'inference', 'dist', path));

const options = { penalty: 0.01, steps: 300 };
/**
 * The probes: their model, and how far the logit is lowered. The samples hold far more occlusions and dark lenses than
 * ordinary images, and a false alarm is worse than a miss.
 * @type {readonly { name: keyof typeof truths, model: 'mesh' | 'description', lowered: number }[]}
 */
const probes = [
  { name: 'occluded', model: 'mesh', lowered: 2 },
  { name: 'glasses', model: 'description', lowered: 0 },
  { name: 'sunglasses', model: 'description', lowered: 1 },
  { name: 'mask', model: 'description', lowered: 0.5 },
  { name: 'headwear', model: 'description', lowered: 0 },
];
const manifests = { mesh: 'facemesh', description: 'faceres' };

/** @param {string} id */
async function load(id) {
  const { readCatalogue } = tier('catalogue/manifest');
  const { compiledPath } = tier('catalogue/compiled-path');
  const { OnnxBackend } = tier('backends/onnx');
  const { defaultModelCache } = tier('catalogue/paths');
  const manifest = (await readCatalogue()).find((one) => one.id === id);
  return new OnnxBackend().load({ ...manifest, path: compiledPath(manifest, defaultModelCache) });
}

/** @param {Buffer} image */
async function decodedImage(image) {
  const { DecodedImage } = tier('pipeline/image/decoded-image');
  const { data, info } = await sharp(image).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return new DecodedImage(data, info.width, info.height);
}

/** @returns {Promise<Example[]>} of people who are not held out and whose face was found */
async function examples() {
  const { findFaces } = tier('pipeline/faces/find-faces');
  const { landmarksOf } = tier('pipeline/attributes/landmarks');
  const { bandsOf } = tier('pipeline/attributes/occlusion');
  const { cropFactors } = tier('pipeline/attributes/attributes');
  const { runOnFaces } = tier('pipeline/faces/face-crops');
  const [near, thorough, mesh, description] = await Promise.all(
    ['blazeface', 'ssd-mobilenet', manifests.mesh, manifests.description].map(load),
  );
  const findFace = async (image) => {
    const shown = await decodedImage(image);
    const [faces] = await findFaces({ near, thorough, mesh }, [shown]);
    const boxOf = (/** @type {any} */ { box: { left, top, width, height } }) => ({
      left: left / shown.width,
      top: top / shown.height,
      width: width / shown.width,
      height: height / shown.height,
    });
    return { shown, face: nearestToCenter(faces, boxOf) };
  };
  const landmarks = new Map();
  const found = [];
  for (const sample of allSamples().filter(({ heldOut, kind }) => !heldOut && kind !== 'untouched')) {
    if (!landmarks.has(sample.name)) {
      const { shown, face } = await findFace(lfwImage(sample.name));
      if (!face) continue;
      landmarks.set(sample.name, inPixels(landmarksOf(face.mesh, shown), shown));
    }
    const { shown, face } = await findFace(await draw(sample, landmarks.get(sample.name)));
    if (!face) continue;
    const outputs = await runOnFaces(description, [{ image: shown, face }], cropFactors.description);
    const bands = bandsOf(face.mesh.features, mesh.spec.outputs.at(-1).shape.at(-1));
    found.push({ sample, mesh: bands, description: outputs.embedding });
    if (found.length % 500 === 0) console.log(`${found.length} faces`);
  }
  return found;
}

const all = await examples();
for (const { name, model, lowered } of probes) {
  const known = all.filter(({ sample }) => truths[name](sample) !== undefined);
  const labels = known.map(({ sample }) => truths[name](sample) === true);
  const { weights, bias } = fitLogistic(
    known.map((example) => example[model]),
    labels,
    options,
  );
  const path = join(ROOT, 'inference', 'models', `${manifests[model]}.json`);
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  manifest.probes ??= {};
  manifest.probes[name] = {
    comment: `Logistic regression, benchmarks/accuracy/probes/train.mjs: ${labels.filter(Boolean).length} of ${labels.length} images show it, portraits of LFW with our labels and with drawn occlusions; logit lowered by ${lowered}.`,
    bias: Number((bias - lowered).toPrecision(5)),
    weights: weights.map((weight) => Number(weight.toPrecision(4))),
  };
  writeFileSync(path, JSON.stringify(manifest));
  spawnSync(join(ROOT, 'node_modules', '.bin', 'biome'), ['format', '--write', path], { stdio: 'inherit' });
  console.log(`${name}: ${manifest.probes[name].comment}`);
}
