/** The site as `npm run build` left it: its pages by address, and what browsers load of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PUBLIC = join(__dirname, '..', '..', 'public');

/** Addresses that a visitor can come to, in order; not those that only lead on to another one. */
export const addresses: readonly string[] = readdirSync(PUBLIC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|\/)index\.html$/.test(file) && !/^(?:_gatsby|page-data|404)\//.test(file))
  .filter((file) => !/http-equiv="refresh"/i.test(readFileSync(join(PUBLIC, file), 'utf8')))
  .map((file) => `/${file.replace(/\/?index\.html$/, '')}`)
  .sort();

/** Of each kind of page the first. */
export const onePerTemplate: readonly string[] = [
  ...new Map([...addresses].reverse().map((address) => [templateOf(address), address])).values(),
];

function templateOf(address: string): string {
  const data = join(PUBLIC, 'page-data', address === '/' ? 'index' : address, 'page-data.json');
  return JSON.parse(readFileSync(data, 'utf8')).componentChunkName;
}

/** @param address of a page, or of a file that a page loads */
export const fileOf = (address: string) =>
  join(PUBLIC, /\.[a-z0-9]+$/.test(address) ? address : join(address, 'index.html'));

export const readPage = (address: string) => readFileSync(fileOf(address), 'utf8');

/** In bytes, as the build compressed it. */
export const gzippedSize = (address: string) => readFileSync(`${fileOf(address)}.gz`).length;

/** In bytes. */
export const sizeOf = (address: string) => readFileSync(fileOf(address)).length;
