/** Pictures that a program draws as well as a camera takes them: pages of text and charts. Always the same ones. */
import sharp from 'sharp';
import { randomFrom } from './random.mjs';

/** @typedef {ReturnType<typeof randomFrom>} Random */

const WORDS =
  'the service answers within its deadline and every picture is checked before it leaves contract invoice total amount date of issue customer number street city signature balance account net tax please pay until thank you for your order'.split(
    ' ',
  );
const FONTS = ['sans-serif', 'serif', 'monospace'];

/** @param {Random} random @param {number} count */
const text = (random, count) => Array.from({ length: count }, () => random.pick(WORDS)).join(' ');

/** @param {number} width @param {number} height @param {string} body */
const draw = (width, height, body) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${body}</svg>`,
    ),
  )
    .png()
    .toBuffer();

/** A page with a heading and paragraphs. @param {number} seed */
export function drawnPage(seed) {
  const random = randomFrom(seed);
  const [width, height] = [random.whole(480, 700), random.whole(640, 900)];
  const [size, margin] = [random.whole(10, 18), random.whole(30, 70)];
  const font = random.pick(FONTS);
  /** @param {number} y @param {number} scale @param {string} words */
  const line = (y, scale, words) =>
    `<text x="${margin}" y="${y}" font-size="${scale * size}" font-family="${font}">${words}</text>`;
  let body = line(margin, 2, text(random, 3));
  const perLine = Math.floor((width - 2 * margin) / size / 3);
  for (let y = margin + 3 * size; y < height - margin; y += size * (random.next() < 0.12 ? 2.4 : 1.4)) {
    body += line(y, 1, text(random, perLine));
  }
  return draw(width, height, body);
}

/** Bars or lines over a grid. @param {number} seed */
export function drawnChart(seed) {
  const random = randomFrom(seed);
  const [width, height] = [random.whole(500, 800), random.whole(350, 550)];
  const colour = () => `hsl(${random.whole(0, 360)},${random.whole(40, 90)}%,${random.whole(35, 65)}%)`;
  const [base, tall] = [height - 50, height - 90];
  let body = `<text x="${width / 3}" y="25" font-size="16">${text(random, 3)}</text>`;
  for (let i = 0; i <= 5; i++) {
    const y = base - (i * tall) / 5;
    body += `<path d="M50 ${y}H${width - 20}" stroke="#ddd"/><text x="15" y="${y}" font-size="11">${20 * i}</text>`;
  }
  const count = random.whole(4, 12);
  const step = (width - 90) / count;
  if (random.next() < 0.5) {
    const fill = colour();
    for (let i = 0; i < count; i++) {
      const bar = tall * (0.1 + 0.85 * random.next());
      body += `<rect x="${60 + i * step}" y="${base - bar}" width="${0.7 * step}" height="${bar}" fill="${fill}"/>`;
    }
  } else {
    for (let lines = random.whole(1, 4); lines > 0; lines--) {
      const points = Array.from(
        { length: count + 1 },
        (_, i) => `${60 + i * step} ${base - tall * random.next()}`,
      );
      body += `<path d="M${points.join('L')}" fill="none" stroke="${colour()}" stroke-width="3"/>`;
    }
  }
  return draw(width, height, body);
}
