/** Writes small files at the root of the site. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Redirects in the format of static hosts, which serve.mjs reads as well. */
const REDIRECTS = '_redirects';

/** @param {string} publicDir @param {import('./content.mjs').SitePage[]} pages */
export async function writeRedirects(publicDir, pages) {
  const lines = pages.flatMap(({ path, pageContext: { alias } }) => (alias ? `${path} ${alias} 301\n` : []));
  await writeFile(join(publicDir, REDIRECTS), lines.join(''));
}

/** RFC 9116 recommends less than a year. On a site that is no longer built, the file expires. */
const SECURITY_DAYS = 330;

/**
 * The contact for vulnerability reports (RFC 9116).
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
