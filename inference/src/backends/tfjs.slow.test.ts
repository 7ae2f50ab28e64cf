// Slow: it starts a tier that runs every model in TFJS, which takes a minute of processor time.
import sharp from 'sharp';
import { startInference } from '../../../gateway/harness/index.mjs';
import { facesIn, photo } from '../../test/photos';
import type { CompareReply, DetectReply } from '../wire';

test('a tier on TFJS detects and compares with published ONNX models', async () => {
  const tier = await startInference({
    INFERENCE_BACKEND: 'tfjs',
    INFERENCE_DEVICE: 'cpu',
    INFERENCE_MODELS: 'near=yunet-256,thorough=yunet,embedding=sface',
  });
  const post = async <Reply>(operation: string, images: readonly Uint8Array[]) => {
    const response = await fetch(`${tier.url}/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        'x-deadline-ms': '600000',
        'x-part-lengths': images.map(({ length }) => length).join(','),
      },
      body: Buffer.concat(images),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Reply;
  };
  try {
    expect(tier.device).toBe('wasm');
    const { faces } = await post<DetectReply>('detect', [photo(4)]);
    expect(faces).toHaveLength(facesIn[4] as number);
    const { width, height } = await sharp(photo(4)).metadata();
    // A part of the same photograph: one of its people, at another place.
    const half = await sharp(photo(4))
      .extract({ left: 0, top: 0, width: Math.round(0.5 * width), height })
      .jpeg()
      .toBuffer();
    const { targets } = await post<CompareReply>('compare', [half, photo(4)]);
    expect(targets.map(({ similarity }) => similarity > 0.9).filter(Boolean)).toHaveLength(1);
  } finally {
    await tier.stop();
  }
});
