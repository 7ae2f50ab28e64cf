/** The steps after a build: files for readers other than browsers, the search index, and social cards. */
import { writeTestImages } from '../test-images.mjs';
import { readBuiltPages } from './built-pages.mjs';
import { readContent } from './content.mjs';
import { writeCriticalStyles } from './critical-styles.mjs';
import { writeElement } from './element.mjs';
import { writeIcons } from './icons.mjs';
import { writeLlms } from './llms.mjs';
import { writeOpenapi } from './openapi.mjs';
import { writeSearchIndex } from './search-index.mjs';
import { writeRedirects, writeRobots, writeSecurity } from './site-files.mjs';
import { writeSocialCards } from './social-cards.mjs';
import { writeTwins } from './twins.mjs';

const PUBLIC = 'public';

/** @param {import('gatsby').BuildArgs & { graphql: Function, cache: { directory: string } }} api */
export async function onPostBuild({ graphql, cache, reporter }) {
  const content = await readContent(graphql);
  const pages = await readBuiltPages(PUBLIC, content.pages);
  const twins = await writeTwins(PUBLIC, content);
  await Promise.all([
    writeElement(PUBLIC),
    writeIcons(PUBLIC, content),
    writeLlms(PUBLIC, { content, pages, twins }),
    writeOpenapi(PUBLIC),
    writeRedirects(PUBLIC, content.pages),
    writeRobots(PUBLIC, content),
    writeSecurity(PUBLIC, content),
    writeTestImages(PUBLIC),
    writeSearchIndex(PUBLIC, { content, pages }),
  ]);
  await writeCriticalStyles(PUBLIC);
  const drawn = await writeSocialCards(PUBLIC, { pages, brand: content.brand, cacheDir: cache.directory });
  reporter.info(`${pages.length} pages, ${drawn} social cards drawn`);
}
