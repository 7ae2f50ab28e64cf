/** The required versions of Node and of browsers. */

/** By name in the browserslist. */
const BROWSERS = {
  chrome: 'chromeVersion',
  edge: 'edgeVersion',
  firefox: 'firefoxVersion',
  safari: 'safariVersion',
};

/**
 * @param {{ engines: { node: string } }} root package.json of the repository
 * @param {{ browserslist: string[] }} web package.json of the site
 * @returns {Record<string, string>}
 */
export function packageFigures(root, web) {
  const versions = new Map(
    web.browserslist.map((line) => /** @type {[string, string]} */ (line.split(' >= '))),
  );
  const browsers = Object.entries(BROWSERS).map(([browser, name]) => [name, String(versions.get(browser))]);
  return { nodeVersion: root.engines.node.replace('>=', ''), ...Object.fromEntries(browsers) };
}
