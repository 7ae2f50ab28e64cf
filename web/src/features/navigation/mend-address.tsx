/**
 * Runs before Gatsby, which decodes the fragment while it renders. With a malformed fragment the page would stay
 * empty.
 */
const SCRIPT =
  'try{decodeURIComponent(location.hash)}catch(e){history.replaceState(history.state,"",location.pathname+location.search)}';

export function MendAddress() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file; React would escape its quotes.
  return <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
