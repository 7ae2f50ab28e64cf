/** Pictures as rows of pixels, red, green and blue in turn. */
import sharp from 'sharp';

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

export const copyOf = ({ data, ...size }: Rgb): Rgb => ({ data: data.slice(), ...size });

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
