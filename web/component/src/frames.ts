/** Grabs frames of the preview's video as JPEG, not mirrored. */

/** Pixels of the longer side. The gateway rejects a width below MIN_WIDTH. */
const SIDE = 640;
const MIN_WIDTH = 320;
/** If an image exceeds the size limit, it is encoded again with the next quality. */
const QUALITIES = [0.8, 0.6, 0.4];

/** A frame is never larger than the camera's image, unless that is too narrow. */
export function frameSize(width: number, height: number) {
  const scale = Math.max(Math.min(SIDE / Math.max(width, height), 1), MIN_WIDTH / width);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** @returns a function that grabs an image, or null if the video has none or it exceeds the size limit */
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
