/** What is changed of Gatsby's own webpack settings. */

/**
 * All styles end up in one file, in an order that depends on which page webpack reads first. Nothing relies on it:
 * components style classes of their own, which win over the global rules for elements. So no build warns of it.
 * @param {import('gatsby').CreateWebpackConfigArgs} api
 */
export function onCreateWebpackConfig({ actions, getConfig }) {
  const config = getConfig();
  for (const plugin of config.plugins) {
    if (plugin.constructor.name === 'MiniCssExtractPlugin') plugin.options.ignoreOrder = true;
  }
  actions.replaceWebpackConfig(config);
}
