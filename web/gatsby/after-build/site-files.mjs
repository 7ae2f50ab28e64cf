/** Small files at the root of the site. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Which addresses lead to another page: the form that static hosts read, and serve.mjs too. */
const REDIRECTS = '_redirects';

/** @param {string} publicDir @param {import('./content.mjs').SitePage[]} pages */
export async function writeRedirects(publicDir, pages) {
  const lines = pages.flatMap(({ path, pageContext: { alias } }) => (alias ? `${path} ${alias} 301\n` : []));
  await writeFile(join(publicDir, REDIRECTS), lines.join(''));
}

/** RFC 9116 advises less than a year: a site that nobody builds any more ends by saying so. */
const SECURITY_DAYS = 330;

/**
 * Who to tell of a weakness (RFC 9116).
 * @param {string} publicDir
 * @param {Pick<import('./content.mjs').Content, 'siteUrl' | 'site'>} content
 */
export async function writeSecurity(publicDir, { siteUrl, site }, now = Date.now()) {
  const folder = join(publicDir, '.well-known');
  await mkdir(folder, { recursive: true });
  const fields = {
    Contact: `mailto:${site.contact.support}`,
    Expires: new Date(now + SECURITY_DAYS * 86_400_000).toISOString(),
    'Preferred-Languages': 'en',
    Canonical: `${siteUrl}/.well-known/security.txt`,
    Policy: `${siteUrl}/docs/operations/security#report-a-vulnerability`,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  await writeFile(join(folder, 'security.txt'), lines.join(''));
}

/** @param {string} publicDir @param {{ siteUrl: string }} content */
export async function writeRobots(publicDir, { siteUrl }) {
  await writeFile(
    join(publicDir, 'robots.txt'),
    `User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap-index.xml\n`,
  );
}
