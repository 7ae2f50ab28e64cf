/** All texts are in content/ or in the contract. A component with a sentence fails here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

const SRC = join(__dirname, '..', 'src');
const COMPONENTS = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.tsx'),
);

/** Attributes that readers see or hear. */
const SPOKEN = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
]);
/** Operators that may return either operand. */
const JOINING = new Set(['+', '||', '??']);
const WORD = /[\p{L}\p{N}]/u;

interface AstNode {
  type: string;
  [member: string]: unknown;
}

const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && typeof (value as AstNode).type === 'string';

const childrenOf = (node: AstNode): AstNode[] =>
  Object.values(node)
    .flatMap((value) => [value].flat())
    .flatMap(unwrap);

/** swc wraps arguments and array elements in plain objects. */
const unwrap = (value: unknown): AstNode[] => {
  if (isNode(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).filter(isNode) : [];
};

/** The texts of a component that readers see or hear: JSX text and strings. */
function copyIn(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: AstNode) => {
    if (node.type === 'JSXText') texts.push(String(node.value));
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node.children as AstNode[])
        if (child.type === 'JSXExpressionContainer') texts.push(...shown(child.expression));
    }
    if (node.type === 'JSXAttribute' && SPOKEN.has(attributeName(node.name as AstNode)))
      texts.push(...shown(node.value));
    childrenOf(node).forEach(visit);
  };
  visit(parseSync(source, { syntax: 'typescript', tsx: true }) as unknown as AstNode);
  return texts.map((text) => text.trim()).filter((text) => WORD.test(text));
}

/** String literals that an expression may evaluate to. */
function shown(value: unknown): string[] {
  if (!isNode(value)) return [];
  switch (value.type) {
    case 'StringLiteral':
      return [String(value.value)];
    case 'TemplateLiteral':
      return (value.quasis as AstNode[]).map(({ raw }) => String(raw));
    case 'JSXExpressionContainer':
    case 'ParenthesisExpression':
      return shown(value.expression);
    case 'ConditionalExpression':
      return [...shown(value.consequent), ...shown(value.alternate)];
    case 'BinaryExpression':
      if (value.operator === '&&') return shown(value.right);
      return JOINING.has(String(value.operator)) ? [...shown(value.left), ...shown(value.right)] : [];
    default:
      return [];
  }
}

const attributeName = (name: AstNode): string => (name.type === 'Identifier' ? String(name.value) : '');

test.each(COMPONENTS)('%s contains no texts', (file) => {
  expect(copyIn(readFileSync(join(SRC, file), 'utf8'))).toEqual([]);
});

test.each([
  ['text', '<p>Words</p>', 'Words'],
  ['a string', "<p>{'Words'}</p>", 'Words'],
  ['a branch', "<p>{open ? 'Words' : name}</p>", 'Words'],
  ['an added string', "<p>{'Words' + name}</p>", 'Words'],
  ['a template', '<p>{`Words`}</p>', 'Words'],
  ['a label', '<nav aria-label="Words" />', 'Words'],
  ['a fragment', '<>Words</>', 'Words'],
])('copy is found as %s', (_kind, jsx, text) => {
  expect(copyIn(`const x = () => ${jsx};`)).toEqual([text]);
});
