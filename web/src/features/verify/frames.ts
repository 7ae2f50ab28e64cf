/** Still pictures of the preview's video, as the gateway takes them: JPEG, not mirrored. */

/** Of the longer side; the gateway refuses a width below MIN_WIDTH. */
const SIDE = 640;
const MIN_WIDTH = 320;
/** A picture that is too large at the first is encoded again with the next. */
const QUALITIES = [0.8, 0.6, 0.4];

/** Never larger than the camera's own picture, unless that is too narrow. */
export function frameSize(width: number, height: number) {
  const scale = Math.max(Math.min(SIDE / Math.max(width, height), 1), MIN_WIDTH / width);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** @returns what takes one picture; null while the video has none, or when it cannot be made small enough */
export function createGrabber(video: HTMLVideoElement, maxBytes: number): () => Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { alpha: false });
  return async () => {
    const { videoWidth, videoHeight } = video;
    if (!context || videoWidth === 0 || videoHeight === 0) return null;
    const { width, height } = frameSize(videoWidth, videoHeight);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    for (const quality of QUALITIES) {
      const jpeg = await encode(canvas, quality);
      if (jpeg && jpeg.size <= maxBytes) return jpeg;
    }
    return null;
  };
}

const encode = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
