/** The site that `npm run build` wrote: its pages by address, and the files that they load. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PUBLIC = join(__dirname, '..', '..', 'public');

/** The addresses of all pages in order, without redirects. */
export const addresses: readonly string[] = readdirSync(PUBLIC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|\/)index\.html$/.test(file) && !/^(?:_gatsby|page-data|404)\//.test(file))
  .filter((file) => !/http-equiv="refresh"/i.test(readFileSync(join(PUBLIC, file), 'utf8')))
  .map((file) => `/${file.replace(/\/?index\.html$/, '')}`)
  .sort();

/** The first page of each template. */
export const onePerTemplate: readonly string[] = [
  ...new Map([...addresses].reverse().map((address) => [templateOf(address), address])).values(),
];

function templateOf(address: string): string {
  const data = join(PUBLIC, 'page-data', address === '/' ? 'index' : address, 'page-data.json');
  const { componentChunkName } = JSON.parse(readFileSync(data, 'utf8'));
  // Each MDX page has its own chunk, named after template and file.
  return componentChunkName.replace(/-content-file-path-.*/, '');
}

/** @param address of a page or of a file */
export const fileOf = (address: string) =>
  join(PUBLIC, /\.[a-z0-9]+$/.test(address) ? address : join(address, 'index.html'));

export const readPage = (address: string) => readFileSync(fileOf(address), 'utf8');

/** Size in bytes of the gzip copy. */
export const gzippedSize = (address: string) => readFileSync(`${fileOf(address)}.gz`).length;

/** Size in bytes. */
export const sizeOf = (address: string) => readFileSync(fileOf(address)).length;
