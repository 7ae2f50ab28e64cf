/** One page per MDX file: its frontmatter names the address and the template. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** @typedef {{ id: string, frontmatter: { path: string, template: string, layout: string | null }, internal: { contentFilePath: string } }} Page */

/** @param {import('gatsby').CreatePagesArgs} api */
export async function createPages({ actions, graphql, reporter }) {
  /** @type {{ data?: { allMdx: { nodes: Page[] } }, errors?: unknown }} */
  const { data, errors } = await graphql(`
    query Pages {
      allMdx {
        nodes {
          id
          frontmatter {
            path
            template
            layout
          }
          internal {
            contentFilePath
          }
        }
      }
    }
  `);
  if (!data)
    return reporter.panicOnBuild('The pages in content/ cannot be read.', /** @type {Error} */ (errors));

  const taken = new Set();
  for (const { id, frontmatter, internal } of data.allMdx.nodes) {
    const { path, template, layout } = frontmatter;
    const component = resolve('src/templates', `${template}.tsx`);
    if (!existsSync(component))
      reporter.panicOnBuild(`The page ${path} names a template that is missing: ${template}.`);
    if (taken.has(path)) reporter.panicOnBuild(`Two pages name the address ${path}.`);
    taken.add(path);
    actions.createPage({
      path,
      component: `${component}?__contentFilePath=${internal.contentFilePath}`,
      context: { id, layout },
    });
  }
}
