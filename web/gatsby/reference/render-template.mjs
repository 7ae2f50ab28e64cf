/**
 * The subset of Mustache that the samples need: `{{name}}` is a value, `{{#name}}...{{/name}}` appears if the value
 * is truthy, `{{^name}}...{{/name}}` if not. A tag alone on its line removes the line. The further lines of a
 * value are indented like its first line, unlike in Mustache.
 *
 * @param {string} template
 * @param {Record<string, string | boolean>} values
 * @throws Error for a name without a value
 */
export function renderTemplate(template, values) {
  const lookUp = (/** @type {string} */ name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A sample uses {{${name}}}, which has no value.`);
    return value;
  };
  const alone = template.replace(/^[ \t]*(\{\{[#^/]\w+\}\})[ \t]*\n/gm, '$1');
  const lines = renderSections(alone, (name) => Boolean(lookUp(name))).split('\n');
  return lines.map((line) => fillLine(line, (name) => String(lookUp(name)))).join('\n');
}

/** @param {string} line @param {(name: string) => string} lookUp */
function fillLine(line, lookUp) {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return line.replace(/\{\{(\w+)\}\}/g, (_, name) => lookUp(name).replaceAll('\n', `\n${indent}`));
}

/** @param {string} text @param {(name: string) => boolean} isThere @returns {string} */
function renderSections(text, isThere) {
  return text.replace(/\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g, (_, kind, name, content) =>
    isThere(name) === (kind === '#') ? renderSections(content, isThere) : '',
  );
}
