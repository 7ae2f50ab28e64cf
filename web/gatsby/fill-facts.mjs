/**
 * A remark plugin that turns `{maxFaces}` in running text into `<Fact name="maxFaces" />`. The component reads the
 * value through GraphQL, so that it is current even if the compiled page comes from a cache.
 */

/** @typedef {{ type: string, value?: string, name?: string, attributes?: unknown[], children?: Node[] }} Node */

const NAME = /^[a-z][A-Za-z]*$/;

export const fillFacts = () => (/** @type {Node} */ tree) => visit(tree);

/** @param {Node} node */
function visit(node) {
  if (node.type === 'mdxTextExpression' && NAME.test(node.value ?? '')) {
    node.attributes = [{ type: 'mdxJsxAttribute', name: 'name', value: node.value }];
    node.type = 'mdxJsxTextElement';
    node.name = 'Fact';
    node.children = [];
    delete node.value;
  }
  node.children?.forEach(visit);
}
