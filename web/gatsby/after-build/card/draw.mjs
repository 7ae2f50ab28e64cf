/** The image for shared links to a page: its title beside the face of the drawings. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import satori from 'satori';
import sharp from 'sharp';

const WIDTH = 1200;
const HEIGHT = 630;

/** The light colors of src/styles/tokens.css. */
const PAPER = '#f6f7f4';
const INK = '#13181c';
const INK_SOFT = '#4a545b';
const LINE = '#a3aba6';
const ACCENT = '#1b3fd6';

const LONG_TITLE = 34;
const { resolve } = createRequire(import.meta.url);

/** @typedef {{ title: string, description: string, brand: string }} Card */

/**
 * Reads the fonts and the face that all cards share.
 * @returns {Promise<{ digest: (card: Card) => string, draw: (card: Card) => Promise<Buffer> }>} digest: hash of the card and
 *   of everything that draws it; draw: renders the card as PNG
 */
export async function createCardDrawer() {
  const [fonts, face, code, satoriVersion] = await Promise.all([
    Promise.all([loadFont(400), loadFont(600)]),
    readFile(new URL('face.json', import.meta.url), 'utf8'),
    readFile(new URL(import.meta.url), 'utf8'),
    readFile(resolve('satori/package.json'), 'utf8').then((text) => JSON.parse(text).version),
  ]);
  const drawnFace = drawFace(JSON.parse(face));
  return {
    digest: (card) =>
      createHash('sha256')
        .update(JSON.stringify([code, face, satoriVersion, sharp.versions, card]))
        .digest('hex'),
    async draw(card) {
      const svg = await satori(/** @type {any} */ (layOut(card)), { width: WIDTH, height: HEIGHT, fonts });
      const drawn = svg.replace('</svg>', `${drawnFace}</svg>`);
      return sharp(Buffer.from(drawn)).png({ palette: true, compressionLevel: 9 }).toBuffer();
    },
  };
}

/** satori cannot read WOFF2. @param {400 | 600} weight @returns {Promise<any>} */
async function loadFont(weight) {
  const file = resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff`);
  return { name: 'Inter', weight, style: 'normal', data: await readFile(file) };
}

/** @param {Card} card */
function layOut({ title, description, brand }) {
  const box = {
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'space-between',
    boxSizing: 'border-box',
  };
  return element(
    { ...box, width: WIDTH, height: HEIGHT, padding: '64px 72px', background: PAPER, color: INK },
    [
      element(
        { display: 'flex', paddingLeft: 44, fontSize: 30, fontWeight: 600, letterSpacing: '-0.02em' },
        brand,
      ),
      element({ display: 'flex', flexDirection: 'column', width: 610 }, [
        element(
          {
            display: 'flex',
            fontSize: title.length > LONG_TITLE ? 56 : 68,
            fontWeight: 600,
            letterSpacing: '-0.035em',
            lineHeight: 1.05,
          },
          title,
        ),
        element(
          { display: 'block', lineClamp: 3, marginTop: 26, color: INK_SOFT, fontSize: 25, lineHeight: 1.4 },
          description,
        ),
      ]),
    ],
  );
}

/** @param {object} style @param {unknown} children */
const element = (style, children) => ({ type: 'div', props: { style, children } });

/**
 * The same lines as src/components/drawings/face.tsx, and the brand's mark.
 * @param {{ mesh: string, features: string, landmarks: string, irises: { x: number, y: number }[] }} lines
 */
function drawFace({ mesh, features, landmarks, irises }) {
  const dots = irises.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="6" fill="${ACCENT}"/>`).join('');
  return `<g fill="none" stroke-linecap="round" stroke-linejoin="round">
    <path d="${mesh}" stroke="${LINE}" stroke-width="1.1"/>
    <path d="${features}" stroke="${INK}" stroke-width="2"/>
    <path d="${landmarks}" stroke="${ACCENT}" stroke-width="5"/>${dots}
    <g stroke="${ACCENT}" stroke-linecap="square" stroke-linejoin="miter">
      <path d="M730 76V40h36M1114 40h36v36M1150 554v36h-36M766 590h-36v-36" stroke-width="3"/>
      <path transform="translate(72 66) scale(1.25)" stroke-width="2" d="M2 8V2h6M16 2h6v6M22 16v6h-6M8 22H2v-6M8 9.5L16 9.5L12 15.5Z"/>
    </g>
  </g>`;
}
