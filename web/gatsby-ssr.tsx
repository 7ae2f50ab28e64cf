/** The HTML around each page: its language, the scripts that restore choices, and the layout. */
import type { GatsbySSR } from 'gatsby';
import site from './content/site.json';
import { LANGUAGE } from './src/components/code/language';
import { MODE, THEME } from './src/features/theme/themes';
import { restoreCode } from './src/root-choice';
import { VISITOR } from './src/visitor';

export { wrapPageElement } from './src/layout/layout';

/** Scripts before the first paint. */
const SCRIPTS = {
  // Gatsby decodes the fragment while it renders; with a malformed one the page would stay empty.
  address:
    'try{decodeURIComponent(location.hash)}catch(e){history.replaceState(history.state,"",location.pathname+location.search)}',
  // Colors do not flash, and only the chosen language is visible. Without scripts data-code is missing, and the style
  // sheet shows every sample. data-js reveals elements that need scripts, data-visitor the way into the console.
  choices: `document.documentElement.dataset.code="${LANGUAGE.fallback}";${restoreCode([THEME, MODE, LANGUAGE, VISITOR])}`,
};

export const onRenderBody: GatsbySSR['onRenderBody'] = ({ setHtmlAttributes, setPreBodyComponents }) => {
  // React 19 drops attributes of an <html> inside a page's Head when it hydrates.
  setHtmlAttributes({ lang: site.language });
  setPreBodyComponents(
    Object.entries(SCRIPTS).map(([name, code]) => (
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file; React would escape its quotes.
      <script key={name} dangerouslySetInnerHTML={{ __html: code }} />
    )),
  );
};

/** The verification page runs static/verify.js alone, without Gatsby's scripts. */
export const onPreRenderHTML: GatsbySSR['onPreRenderHTML'] = ({ pathname, replacePostBodyComponents }) => {
  if (/^\/verify\/?$/.test(pathname)) replacePostBodyComponents([]);
};
