/** Creates one page for each MDX file and each JSON page. Each file names its address and template. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const ALIAS_TEMPLATE = resolve('src/templates/alias.tsx');

/** @typedef {{ path: string, template: string, layout: string | null, noindex: boolean | null, matchPath?: string | null }} Place */
/** @typedef {Place & { id: string }} JsonPage */
/** @typedef {{ id: string, frontmatter: Place & { aliases: string[] | null }, internal: { contentFilePath: string } }} MdxPage */

/** @param {import('gatsby').CreatePagesArgs} api */
export async function createPages({ actions, graphql, reporter }) {
  /** @type {{ data?: { allMdx: { nodes: MdxPage[] }, allContentPage: { nodes: JsonPage[] } }, errors?: unknown }} */
  const { data, errors } = await graphql(`
    query Pages {
      allMdx {
        nodes {
          id frontmatter { path template layout noindex aliases matchPath }
          internal { contentFilePath }
        }
      }
      allContentPage { nodes { id path template layout noindex } }
    }
  `);
  if (!data)
    return reporter.panicOnBuild(
      'The query for the pages of content/ failed.',
      /** @type {Error} */ (errors),
    );

  const pages = [
    ...data.allMdx.nodes.map(({ id, frontmatter, internal }) => ({
      ...frontmatter,
      id,
      query: `?__contentFilePath=${internal.contentFilePath}`,
    })),
    ...data.allContentPage.nodes.map((page) => ({ ...page, query: '', aliases: null })),
  ];
  const taken = new Set();
  for (const { id, path, template, layout, noindex, query, aliases, matchPath } of pages) {
    const component = resolve('src/templates', `${template}.tsx`);
    if (!existsSync(component))
      reporter.panicOnBuild(`The page ${path} uses the unknown template ${template}.`);
    if (taken.has(path)) reporter.panicOnBuild(`Two pages have the address ${path}.`);
    taken.add(path);
    actions.createPage({
      path,
      component: component + query,
      context: { id, layout, noindex },
      ...(matchPath && { matchPath }),
    });
    for (const other of aliases ?? []) {
      if (taken.has(other)) reporter.panicOnBuild(`Two pages have the address ${other}.`);
      taken.add(other);
      // `alias` excludes the page from sitemap and search, and is the target of the server's redirect.
      actions.createPage({ path: other, component: ALIAS_TEMPLATE, context: { id, alias: path } });
    }
  }
}
