/** Builds elements. Text becomes text nodes, so that no data is ever parsed as HTML. */
export type Child = Node | string | false | null | undefined;

/** Attributes by name; `true` is an empty attribute, and `false` and `undefined` leave it out. Functions listen. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: never) => void)>
>;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return assemble(document.createElement(tag), attributes, children);
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return assemble(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function assemble<Made extends Element>(element: Made, attributes: Attributes, children: Child[]): Made {
  setAttributes(element, attributes);
  for (const child of children) if (child) element.append(child);
  return element;
}

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else if (value === false || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** Changes a text only if it differs: screen readers announce every change of a live region. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
