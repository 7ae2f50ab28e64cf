/** App icons: PNGs of the favicon on the paper color, and the manifest that lists them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const MARK = 'static/favicon.svg';
/** --paper of src/styles/tokens.css. */
const PAPER = '#f6f7f4';
/** Relative to the side. Launchers may crop an icon to a circle of 80 %. */
const MARK_SHARE = 0.56;
const LAUNCHER_SIDES = [192, 512];
const TOUCH_SIDE = 180;

/** @param {string} publicDir @param {{ brand: string }} content */
export async function writeIcons(publicDir, { brand }) {
  const mark = await readFile(MARK);
  const manifest = {
    name: brand,
    short_name: brand,
    start_url: '/',
    display: 'browser',
    background_color: PAPER,
    theme_color: PAPER,
    icons: LAUNCHER_SIDES.map((side) => ({
      src: `/icon-${side}.png`,
      type: 'image/png',
      sizes: `${side}x${side}`,
      purpose: 'any maskable',
    })),
  };
  await Promise.all([
    writeFile(join(publicDir, 'manifest.webmanifest'), JSON.stringify(manifest)),
    draw(mark, TOUCH_SIDE, join(publicDir, 'apple-touch-icon.png')),
    ...LAUNCHER_SIDES.map((side) => draw(mark, side, join(publicDir, `icon-${side}.png`))),
  ]);
}

/** @param {Buffer} mark @param {number} side @param {string} file */
async function draw(mark, side, file) {
  const inner = Math.round(side * MARK_SHARE);
  // The favicon is 24 px wide at 72 dots per inch.
  const drawn = await sharp(mark, { density: (72 * inner) / 24 })
    .resize(inner, inner)
    .toBuffer();
  await sharp({ create: { width: side, height: side, channels: 3, background: PAPER } })
    .composite([{ input: drawn }])
    .png({ palette: true })
    .toFile(file);
}
