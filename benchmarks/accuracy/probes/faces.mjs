/** Reads the faces of an image with the models of the built inference tier, inside this process. */

export async function openFaces() {
  const { OnnxBackend } = await import('../../../inference/dist/backends/onnx.js');
  const { compiledPath } = await import('../../../inference/dist/catalogue/compiled-path.js');
  const { readCatalogue } = await import('../../../inference/dist/catalogue/manifest.js');
  const { defaultModelCache } = await import('../../../inference/dist/catalogue/paths.js');
  const { poseOf } = await import('../../../inference/dist/pipeline/attributes/pose.js');
  const { findFaces } = await import('../../../inference/dist/pipeline/faces/find-faces.js');
  const { decodeImage } = await import('../../../inference/dist/pipeline/image/decode.js');
  const { DecodedImage } = await import('../../../inference/dist/pipeline/image/decoded-image.js');
  const { faceChroma } = await import('../../../inference/dist/pipeline/liveness/light.js');
  const { isTurned, smearFeatures } = await import('../../../inference/dist/pipeline/liveness/smear.js');
  const catalogue = await readCatalogue();
  const backend = new OnnxBackend();
  const models = await Promise.all(
    ['yunet-256', 'yunet', 'facemesh'].map((id) => {
      const manifest = catalogue.find((candidate) => candidate.id === id);
      if (!manifest) throw new Error(`The catalogue has no model ${id}.`);
      const path = compiledPath(manifest, process.env.MODELS_CACHE ?? defaultModelCache, 'float32');
      return backend.load({ ...manifest, path });
    }),
  );
  const [near, thorough, mesh] = /** @type {[typeof models[0], typeof models[0], typeof models[0]]} */ (
    models
  );
  /** All faces, the one nearest to the middle of the image first. @param {Buffer} encoded */
  const readAll = async (encoded) => readImage(await decodeImage(encoded, 1280));
  async function readImage(/** @type {InstanceType<typeof DecodedImage>} */ image) {
    const [faces] = await findFaces({ near, thorough, mesh }, [image], { nearOnly: true });
    const offset = ({ box }) =>
      Math.hypot(box.left + box.width / 2 - image.width / 2, box.top + box.height / 2 - image.height / 2);
    return faces
      .toSorted((a, b) => offset(a) - offset(b))
      .map(({ box, mesh: { points, depth } }) => {
        const pose = poseOf({ points, depth });
        return {
          pose,
          chroma: faceChroma(image, points, box),
          points: Array.from(depth, (z, i) => [points[2 * i], points[2 * i + 1], z]),
          features: isTurned(pose) ? smearFeatures(image, points, pose.yaw) : undefined,
        };
      });
  }
  return {
    readAll,
    /** @param {{ data: Uint8Array, width: number, height: number }} rgb the face in the middle; undefined without any */
    readRgb: async ({ data, width, height }) =>
      (await readImage(DecodedImage.fromRgb(data, width, height)))[0],
    /** @param {Buffer} encoded the face in the middle; undefined without any */
    read: async (encoded) => (await readAll(encoded))[0],
    close: () => Promise.all(models.map((model) => model.close())),
  };
}
