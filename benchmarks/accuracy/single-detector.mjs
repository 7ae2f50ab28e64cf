/** A detector of the catalogue by itself: one run on the whole image, with nothing before or after it. */
/** @param {string} id of a manifest */
export async function startDetector(id) {
  const { defaultModelCache } = await import('../../inference/dist/catalogue/paths.js');
  const { findServingModels } = await import('../../inference/dist/serving/serving-models.js');
  const { OnnxBackend } = await import('../../inference/dist/backends/onnx.js');
  const { decodeImage } = await import('../../inference/dist/pipeline/image/decode.js');
  const { suppress } = await import('../../inference/dist/pipeline/image/boxes.js');
  const { readCandidates } = await import('../../inference/dist/pipeline/detectors/decoders.js');
  const { models } = await findServingModels(process.env.MODELS_CACHE ?? defaultModelCache, {
    chosen: { thorough: id },
  });
  const model = await new OnnxBackend().load(models.thorough);
  const size = model.spec.input.width;
  return {
    /** @param {Buffer} encoded @returns {Promise<{ left: number, top: number, width: number, height: number }[]>} boxes in pixels */
    async detect(encoded) {
      const image = await decodeImage(encoded, 4096);
      const scale = image.longestSide / size;
      const pixels = new Uint8Array(3 * size * size);
      image.sample([scale, 0, (scale - 1) / 2, 0, scale, (scale - 1) / 2], size, pixels);
      const outputs = await model.run(pixels, 1);
      return suppress(readCandidates(model.spec, outputs, 0)).map(({ left, top, width, height }) => ({
        left: scale * left,
        top: scale * top,
        width: scale * width,
        height: scale * height,
      }));
    },
    close: () => model.close(),
  };
}
