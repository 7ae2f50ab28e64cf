/** Changes to Gatsby's webpack configuration. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postcssLogical from 'postcss-logical';
import TerserPlugin from 'terser-webpack-plugin';
import { quotedFiles } from './quotes.mjs';

const LOCKFILE = '../package-lock.json';

/** @param {import('gatsby').CreateWebpackConfigArgs} api */
export function onCreateWebpackConfig({ stage, actions, getConfig, store }) {
  const config = getConfig();
  // All styles end up in one file, in an order that depends on which page webpack reads first. No style relies on the
  // order: components style their own classes, which win over the global rules for elements. So the warning is
  // disabled.
  for (const plugin of config.plugins) {
    if (plugin.constructor.name === 'MiniCssExtractPlugin') plugin.options.ignoreOrder = true;
  }
  splitConsoleStyles(config);
  if (stage === 'build-javascript') {
    shortenRuntime(config);
    minifyFast(config);
  }
  // The oldest supported browsers lack logical properties such as padding-inline.
  for (const options of optionsOf('postcss-loader', config.module.rules)) {
    const { postcssOptions: gatsbyOptions } = options;
    options.postcssOptions = (/** @type {object} */ context) => {
      const { plugins, ...rest } = gatsbyOptions(context);
      return { ...rest, plugins: [...plugins, postcssLogical()] };
    };
  }
  // Gatsby's names begin with that of the file, which every page would repeat hundreds of times.
  for (const { modules } of optionsOf('css-loader', config.module.rules)) {
    if (modules) modules.localIdentName = '[local]--[hash:hex:6]';
  }
  if (config.cache) validateCacheByVersion(config, store.getState().config.siteMetadata.siteUrl);
  actions.replaceWebpackConfig(config);
}

/**
 * Shortens the script that finds all others, which every page loads: it lists no names of scripts, and loads no styles,
 * because Gatsby writes those of a page into its HTML.
 * @param {any} config
 */
function shortenRuntime({ output, plugins }) {
  output.chunkFilename = '[id]-[contenthash].js';
  plugins.push({
    apply: (/** @type {import('webpack').Compiler} */ { hooks }) =>
      hooks.compilation.tap('shortenRuntime', (compilation) =>
        compilation.hooks.runtimeModule.tap('shortenRuntime', (module) => {
          if (/\bcss\b/.test(module.name)) module.generate = () => null;
        }),
      ),
  });
}

/**
 * Minifies scripts with SWC. Terser, Gatsby's choice, takes ten seconds longer for the same size.
 * @param {any} config
 */
function minifyFast({ optimization }) {
  const isTerser = (/** @type {object} */ plugin) => plugin.constructor.name === 'TerserPlugin';
  const swc = new TerserPlugin({
    minify: TerserPlugin.swcMinify,
    terserOptions: { ecma: 2019, compress: true, mangle: { safari10: true } },
  });
  optimization.minimizer = [
    swc,
    ...optimization.minimizer.filter((/** @type {object} */ plugin) => !isTerser(plugin)),
  ];
}

/**
 * Moves the styles of the console to the script of its page, so that Gatsby writes them into that page only. Gatsby's
 * own group collects all other styles, and writes them into every page.
 * @param {any} config
 */
function splitConsoleStyles({ optimization }) {
  const groups = optimization?.splitChunks?.cacheGroups;
  if (!groups?.styles) return;
  const isStyle = groups.styles.test;
  const isOfConsole = (/** @type {import('webpack').Module} */ module) =>
    /[\\/]src[\\/]features[\\/]console[\\/]/.test(module.identifier());
  groups.console = {
    ...groups.styles,
    name: 'component---src-templates-console-tsx-content-file-path-content-pages-console-mdx',
    test: (/** @type {import('webpack').Module} */ module) => isStyle(module) && isOfConsole(module),
  };
  groups.styles.test = (/** @type {import('webpack').Module} */ module) =>
    isStyle(module) && !isOfConsole(module);
}

/** The options wherever a rule uses a loader. @param {string} loader @param {any} rules @returns {any[]} */
function optionsOf(loader, rules) {
  return [rules].flat().flatMap((rule) => {
    if (typeof rule !== 'object' || !rule) return [];
    if (String(rule.loader).includes(`/${loader}/`)) return [rule.options];
    return [...optionsOf(loader, rule.oneOf), ...optionsOf(loader, rule.use)];
  });
}

/**
 * To validate its cache, webpack would follow every import of Gatsby, of gatsby-node and of all loaders, which takes up
 * to a quarter of a build. A hash of all package versions and our own code replaces that.
 * @param {any} config
 * @param {string} siteUrl which is in the commands of pages
 */
function validateCacheByVersion({ cache, plugins }, siteUrl) {
  Object.assign(cache, { version: `${codeVersion()} ${siteUrl}`, buildDependencies: { defaultWebpack: [] } });
  plugins.push({
    apply: (/** @type {import('webpack').Compiler} */ { hooks }) =>
      hooks.done.tap('validateCacheByVersion', ({ compilation }) => compilation.buildDependencies.clear()),
  });
}

/** A hash of all code that affects the compilation of modules, and of the code that pages quote. */
function codeVersion() {
  const modules = readdirSync('gatsby', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.mjs'),
  );
  const files = [
    LOCKFILE,
    'gatsby-config.mjs',
    'package.json',
    ...modules.sort().map((file) => join('gatsby', file)),
    ...quotedFiles(),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}
