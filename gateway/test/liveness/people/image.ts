/** Images as rows of RGB pixels. */
import sharp, { type ResizeOptions } from 'sharp';

// Code that reads untrusted images in this process, such as a test of the inference tier, blocks unused loaders.
sharp.unblock({ operation: ['VipsForeignLoad'] });

export interface Rgb {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export const blank = (width: number, height: number): Rgb => ({
  data: new Uint8Array(3 * width * height),
  width,
  height,
});

/** Copies the bytes, because slices of a Buffer share its memory. */
export const copyOf = ({ data, ...size }: Rgb): Rgb => ({ data: new Uint8Array(data), ...size });

/** Decodes any input of sharp, including SVG. */
export async function readRgb(input: Buffer | string, resize?: ResizeOptions): Promise<Rgb> {
  const image = sharp(input).rotate();
  const { data, info } = await (resize ? image.resize(resize) : image)
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const open = ({ data, width, height }: Rgb) => sharp(data, { raw: { width, height, channels: 3 } });

/** A little better than the hosted page, whose first quality is 80. */
export const jpegOf = (image: Rgb, quality = 85): Promise<Buffer> => open(image).jpeg({ quality }).toBuffer();

/** @param sigma of the Gaussian in pixels, 0.3 or more. */
export async function blurred(image: Rgb, sigma: number): Promise<Rgb> {
  const data = await open(image).blur(sigma).raw().toBuffer();
  return { ...image, data };
}

export async function resized(image: Rgb, width: number, height: number): Promise<Rgb> {
  const data = await open(image).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  return { data, width, height };
}

/** The image turned about its center and enlarged, so that no corner is empty. @param degrees clockwise, at most 8 */
export async function rotated(image: Rgb, degrees: number): Promise<Rgb> {
  const { width, height } = image;
  const angle = (Math.abs(degrees) * Math.PI) / 180;
  const scale = Math.cos(angle) + (Math.max(width, height) / Math.min(width, height)) * Math.sin(angle);
  const larger = await resized(image, Math.ceil(scale * width), Math.ceil(scale * height));
  const { data, info } = await open(larger)
    .rotate(degrees, { background: '#000' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [left, top] = [Math.floor((info.width - width) / 2), Math.floor((info.height - height) / 2)];
  return cropped({ data, width: info.width, height: info.height }, { left, top, width, height });
}

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function cropped(image: Rgb, { left, top, width, height }: Area): Rgb {
  const data = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 3 * ((top + row) * image.width + left);
    data.set(image.data.subarray(from, from + 3 * width), 3 * row * width);
  }
  return { data, width, height };
}

const svg = ({ width, height }: Pick<Rgb, 'width' | 'height'>, body: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`);

/** @param body SVG elements in pixels */
export const drawn = (width: number, height: number, body: string): Promise<Rgb> =>
  readRgb(svg({ width, height }, body));

export async function drawnOver(image: Rgb, body: string): Promise<Rgb> {
  const data = await open(image)
    .composite([{ input: svg(image, body) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { ...image, data };
}
