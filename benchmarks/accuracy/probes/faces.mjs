/** Reads the faces of an image with the models of the built inference tier, inside this process. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** @param {string} path */
const tier = (path) => require(`../../../inference/dist/${path}.js`);

export async function openFaces() {
  const { OnnxBackend } = tier('backends/onnx');
  const { compiledPath } = tier('catalogue/compiled-path');
  const { readCatalogue } = tier('catalogue/manifest');
  const { defaultModelCache } = tier('catalogue/paths');
  const { poseOf } = tier('pipeline/attributes/pose');
  const { findFaces } = tier('pipeline/faces/find-faces');
  const { decodeImage } = tier('pipeline/image/decode');
  const { isTurned, smearFeatures } = tier('pipeline/liveness/smear');
  const catalogue = await readCatalogue();
  const backend = new OnnxBackend();
  const models = await Promise.all(
    ['yunet-256', 'yunet', 'facemesh'].map((id) => {
      const manifest = catalogue.find((/** @type {{ id: string }} */ one) => one.id === id);
      const path = compiledPath(manifest, process.env.MODELS_CACHE ?? defaultModelCache, 'float32');
      return backend.load({ ...manifest, path });
    }),
  );
  const [near, thorough, mesh] = models;
  /** All faces, the one nearest to the middle of the image first. @param {Buffer} encoded */
  async function readAll(encoded) {
    const image = await decodeImage(encoded, 1280);
    const [found] = await findFaces({ near, thorough, mesh }, [image], { nearOnly: true });
    const offset = ({ box }) =>
      Math.hypot(box.left + box.width / 2 - image.width / 2, box.top + box.height / 2 - image.height / 2);
    return found
      .toSorted((a, b) => offset(a) - offset(b))
      .map(({ mesh: { points, depth } }) => {
        const pose = poseOf({ points, depth });
        return {
          pose,
          points: Array.from(depth, (z, i) => [points[2 * i], points[2 * i + 1], z]),
          features: isTurned(pose) ? smearFeatures(image, points, pose.yaw) : undefined,
        };
      });
  }
  return {
    readAll,
    /** @param {Buffer} encoded the face in the middle; undefined without any */
    read: async (encoded) => (await readAll(encoded))[0],
    close: () => Promise.all(models.map((model) => model.close())),
  };
}
