/** Small files at the root of the site. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Which addresses lead to another page: the form that static hosts read, and serve.mjs too. */
const REDIRECTS = '_redirects';

/** @param {string} publicDir @param {import('./content.mjs').SitePage[]} pages */
export async function writeRedirects(publicDir, pages) {
  const lines = pages.flatMap(({ path, pageContext: { alias } }) => (alias ? `${path} ${alias} 301\n` : []));
  await writeFile(join(publicDir, REDIRECTS), lines.join(''));
}

/** @param {string} publicDir @param {{ siteUrl: string }} content */
export async function writeRobots(publicDir, { siteUrl }) {
  await writeFile(
    join(publicDir, 'robots.txt'),
    `User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap-index.xml\n`,
  );
}
