/** The tier's pipeline in this process, for measurements that need the embeddings, which never leave the tier. */

/** @typedef {{ embedding: Float32Array, warnings: readonly string[], boundingBox: { width: number } }} DescribedFace */

/** @param {'float32' | 'int8'} precision */
export async function startPipeline(precision) {
  const { defaultModelCache } = await import('../../inference/dist/catalogue/paths.js');
  const { findServingModels } = await import('../../inference/dist/serving/serving-models.js');
  const { OnnxBackend } = await import('../../inference/dist/backends/onnx.js');
  const { operations } = await import('../../inference/dist/pipeline/operations.js');
  const { similarityOf } = await import('../../inference/dist/pipeline/faces/similarity.js');
  const cache = process.env.MODELS_CACHE ?? defaultModelCache;
  const { models: specs, manifestData, missing } = await findServingModels(cache, { precision });
  // The results would state the accuracy of a fallback under the name of the default model.
  if (missing.length > 0) throw new Error(missing.join('\n'));
  const roles = ['near', 'thorough', 'mesh', 'embedding'];
  const backend = new OnnxBackend();
  const loaded = await Promise.all(roles.map(async (role) => [role, await backend.load(specs[role])]));
  const models = Object.fromEntries(loaded);
  const largest = async (operation, item) => {
    const result = await operations[operation](models, item, manifestData);
    if (!result.ok) throw new Error(`An image was rejected: ${result.reason}`);
    return result.value.faces[0];
  };
  return {
    /** The largest face of an image. @param {Buffer} image @returns {Promise<DescribedFace | undefined>} */
    describe: (image) => largest('describe', { image, faces: 'largest' }),
    /** Its turn to the side in degrees, positive to the person's left. @param {Buffer} image @returns {Promise<number | undefined>} */
    yawOf: async (image) => (await largest('detect', { image, attributes: ['pose'] }))?.attributes.pose.yaw,
    /** Whether a distance of embeddings reaches a similarity. @param {number} threshold @returns {(distance: number) => boolean} */
    matchesAt: (threshold) => (distance) => similarityOf(distance, manifestData.calibration) >= threshold,
    close: () => Promise.all(Object.values(models).map((model) => model.close())),
  };
}
