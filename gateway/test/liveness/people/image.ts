/** Pictures as rows of pixels, red, green and blue in turn. */
import sharp from 'sharp';

// What reads untrusted pictures in this process, such as a test of the inference tier, blocks all that it does not need.
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

/** A Buffer's own slice would share its bytes. */
export const copyOf = ({ data, ...size }: Rgb): Rgb => ({ data: new Uint8Array(data), ...size });

/** Decodes or draws: anything that sharp reads, SVG included. */
export async function readRgb(input: Buffer | string, resize?: sharp.ResizeOptions): Promise<Rgb> {
  const image = sharp(input).rotate();
  const { data, info } = await (resize ? image.resize(resize) : image)
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const open = ({ data, width, height }: Rgb) => sharp(data, { raw: { width, height, channels: 3 } });

/** As a browser's camera page sends it. */
export const jpegOf = (picture: Rgb, quality = 85): Promise<Buffer> =>
  open(picture).jpeg({ quality }).toBuffer();

/** @param sigma of the Gaussian in pixels, 0.3 or more. */
export async function blurred(picture: Rgb, sigma: number): Promise<Rgb> {
  const data = await open(picture).blur(sigma).raw().toBuffer();
  return { ...picture, data };
}

export async function resized(picture: Rgb, width: number, height: number): Promise<Rgb> {
  const data = await open(picture).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  return { data, width, height };
}

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function cropped(picture: Rgb, { left, top, width, height }: Area): Rgb {
  const data = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 3 * ((top + row) * picture.width + left);
    data.set(picture.data.subarray(from, from + 3 * width), 3 * row * width);
  }
  return { data, width, height };
}

const svg = ({ width, height }: Pick<Rgb, 'width' | 'height'>, body: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`);

/** @param body elements of SVG, in pixels */
export const drawn = (width: number, height: number, body: string): Promise<Rgb> =>
  readRgb(svg({ width, height }, body));

export async function drawnOver(picture: Rgb, body: string): Promise<Rgb> {
  const data = await open(picture)
    .composite([{ input: svg(picture, body) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { ...picture, data };
}
