/** A minimal reader for HTML that Gatsby wrote. */

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  // Written by the highlighter.
  '&#x26;': '&',
  '&#x3C;': '<',
};

export const decode = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#x27|#x26|#x3C);/g, (entity) => ENTITIES[entity] as string);

/** The visible text: the body without scripts, styles and tags. */
export const textOf = (html: string) =>
  decode(
    html
      .replace(/^[\s\S]*<body>/, '')
      .replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' '),
  );

/** The attributes of every start tag of that name. */
export const tags = (html: string, name: string): Record<string, string>[] =>
  [...html.matchAll(new RegExp(`<${name}(\\s[^>]*)?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        decode(value),
      ]),
    ),
  );

/** The content of every element of that name without nested elements of that name. */
export const contents = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, content = '']) => content,
  );
