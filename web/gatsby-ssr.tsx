/** The HTML around each page: its language, the scripts that restore choices, and the layout. */
import type { GatsbySSR } from 'gatsby';
import site from './content/site.json';
import { RestoreLanguage } from './src/components/code/restore-language';
import { MendAddress } from './src/features/navigation/mend-address';
import { RestoreTheme } from './src/features/theme/restore-theme';

export { wrapPageElement } from './src/components/layout/wrap-page-element';

export const onRenderBody: GatsbySSR['onRenderBody'] = ({ setHtmlAttributes, setPreBodyComponents }) => {
  // React 19 drops attributes of an <html> inside a page's Head when it hydrates.
  setHtmlAttributes({ lang: site.language });
  setPreBodyComponents([
    <MendAddress key="address" />,
    <RestoreTheme key="theme" />,
    <RestoreLanguage key="language" />,
  ]);
};
