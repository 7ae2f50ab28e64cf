/**
 * Draws the test images that test-images.json describes and this folder lacks: `node draw.mjs`. It never draws an image
 * again, because clients keep copies, and the service recognizes an image by the hash of its bytes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const SIDE = 160;
const HEIGHT = 184;

const { face: usual, images } = JSON.parse(readFileSync(new URL('../test-images.json', import.meta.url)));

/** A drawing of what the response says, and the name below it. */
function svgOf({ name, faces = [], elements = [], error }) {
  const drawn = error ? crossed() : [...faces.map(faceOf), ...elements.map(warning)].join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#e8ecf4"/>${drawn}
    <text x="${SIDE / 2}" y="${HEIGHT - 8}" font-family="sans-serif" font-size="13" fill="#1b2440"
      text-anchor="middle">${name}</text></svg>`;
}

/** Features are placed in a box of 100 x 100, the bounding box of the face. */
function faceOf(face) {
  const { person, boundingBox: box, quality, warnings, pose, emotion, accessories } = { ...usual, ...face };
  const shade = Math.round(255 * quality.brightness);
  const turn = pose.yaw / 2;
  const scale = `${(box.width * SIDE) / 100} ${(box.height * HEIGHT) / 100}`;
  const blur = warnings.includes('blur') ? 'filter="blur(4px)"' : '';
  return `<g transform="translate(${box.left * SIDE} ${box.top * HEIGHT}) scale(${scale})" ${blur}>
    <ellipse cx="50" cy="34" rx="54" ry="42" fill="${HAIR[person]}"/>
    <ellipse cx="50" cy="54" rx="46" ry="46" fill="rgb(${shade},${shade},${Math.min(255, shade + 20)})"/>
    <g transform="translate(${turn} 0)" fill="none" stroke="#1b2440" stroke-width="4">
      <circle cx="32" cy="40" r="5" fill="#1b2440"/><circle cx="68" cy="40" r="5" fill="#1b2440"/>
      <path d="${MOUTHS[emotion]}"/>${accessories.map((accessory) => ACCESSORIES[accessory]).join('')}
    </g></g>`;
}

const HAIR = {
  first: '#5a3d2b',
  second: '#2b2b33',
  third: '#c9a227',
  fourth: '#b5532c',
  fifth: '#9aa0ab',
};

const MOUTHS = {
  calm: 'M35 74H65',
  happy: 'M32 68Q50 92 68 68',
  sad: 'M34 80Q50 64 66 80',
  angry: 'M34 78H66M22 26L40 34M78 26L60 34',
  surprised: 'M42 74a8 9 0 1 0 16 0a8 9 0 1 0 -16 0',
  fear: 'M34 76L42 70L50 76L58 70L66 76M24 32L38 26M76 32L62 26',
  disgust: 'M34 72Q44 80 50 72T66 76',
  confused: 'M36 76L64 70M24 28H40M60 24L76 30',
};

const ACCESSORIES = {
  glasses: '<circle cx="32" cy="40" r="14"/><circle cx="68" cy="40" r="14"/><path d="M46 40H54"/>',
  sunglasses: '<path fill="#1b2440" d="M16 32H46V50H20ZM54 32H84L80 50H54ZM46 36H54"/>',
  mask: '<path fill="#9fb4e8" d="M14 56H86V76L50 96L14 76Z"/>',
  headwear: '<path fill="#5f76b8" d="M6 20H94L80 12V-10H20V12Z"/>',
};

const warning = () =>
  '<path d="M80 24L138 128H22Z" fill="#f0b429" stroke="#1b2440" stroke-width="5"/><path d="M80 60V96M80 108V116" stroke="#1b2440" stroke-width="8"/>';

const crossed = () =>
  '<path d="M30 24H130V136H30ZM30 24L130 136M130 24L30 136" fill="none" stroke="#b3261e" stroke-width="5"/>';

for (const image of images) {
  const file = fileURLToPath(new URL(`${image.name}.png`, import.meta.url));
  if (existsSync(file)) continue;
  const drawing = sharp(Buffer.from(svgOf(image)));
  await drawing.png({ palette: true, colors: 16, effort: 10, compressionLevel: 9 }).toFile(file);
}
