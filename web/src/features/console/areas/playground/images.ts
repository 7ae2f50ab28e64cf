/** Images that a person chooses, with their bytes unchanged: the service recognizes test images by their bytes. */

export interface ChosenImage {
  readonly name: string;
  readonly dataUri: string;
  /** The width of the upright image. */
  readonly width: number;
  readonly height: number;
  /** Whether it is a file of the person, and not yet to be saved as one. */
  readonly isFile: boolean;
}

/** A format of the API. */
export interface ImageFormat {
  readonly label: string;
  readonly mediaType: string;
  /** A regular expression over the first 12 bytes, because some systems do not know the type. */
  readonly signature: string;
}

/** The API takes files of this format, but the browser cannot show the file. */
export class NotShownError extends Error {
  override readonly name = 'NotShownError';
}

/** @throws NotShownError, or Error if the API does not take the format of the file */
export async function readFile(file: File, formats: readonly ImageFormat[]): Promise<ChosenImage> {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  const format = formats.find(({ signature }) => new RegExp(signature).test(start));
  if (!format) throw new Error('The image has another format.');
  return readImage(file.name, file.slice(0, file.size, format.mediaType), true);
}

/** @throws NotShownError */
async function readImage(name: string, blob: Blob, isFile: boolean): Promise<ChosenImage> {
  const dataUri = await dataUriOf(blob);
  const image = new Image();
  image.src = dataUri;
  await image.decode().catch((cause: Error) => {
    throw new NotShownError('The browser cannot show the image.', { cause });
  });
  return { name, dataUri, width: image.naturalWidth, height: image.naturalHeight, isFile };
}

/** An image of the site. @throws Error */
export async function readSample({ src }: { src: string }): Promise<ChosenImage> {
  const response = await fetch(src);
  if (!response.ok) throw new Error(`The site responded with ${response.status}.`);
  return readImage(src.slice(src.lastIndexOf('/') + 1), await response.blob(), false);
}

function dataUriOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(blob);
  });
}

/** The current image of a camera. @throws Error */
export function photoOf(video: HTMLVideoElement, name: string): Promise<ChosenImage> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => {
        if (blob) readImage(name, blob, false).then(resolve, reject);
        else reject(new Error('The camera has no image.'));
      },
      'image/jpeg',
      0.92,
    );
  });
}
