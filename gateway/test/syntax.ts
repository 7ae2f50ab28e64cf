/** Whether a text is one of its language, reported by tree-sitter's grammars as WebAssembly: no toolchain is needed. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Language, type Node, Parser } from 'web-tree-sitter';

export type LanguageName = 'bash' | 'dart' | 'java' | 'javascript' | 'kotlin' | 'php' | 'python' | 'swift';

const grammars = join(dirname(require.resolve('tree-sitter-wasms/package.json')), 'out');
const parsers = new Map<LanguageName, Promise<Parser>>();

/**
 * The places where a text breaks the grammar of its language, each as `line 3: ...`, from 1; none where it does not.
 * Names and types are not looked up, and a tree-sitter grammar lets some texts pass that a compiler would not. PHP
 * begins with `<?php`.
 */
export async function syntaxErrors(language: LanguageName, text: string): Promise<string[]> {
  const loaded = parsers.get(language) ?? load(language);
  parsers.set(language, loaded);
  const tree = (await loaded).parse(text);
  if (!tree) throw new Error(`The parser of ${language} gave no tree`);
  try {
    return broken(tree.rootNode).map(describe);
  } finally {
    tree.delete();
  }
}

async function load(language: LanguageName): Promise<Parser> {
  // Bytes rather than a path: what reads files in there is an import that Jest does not run.
  const grammar = readFileSync(join(grammars, `tree-sitter-${language}.wasm`));
  // V8's optimizing compiler would take seconds of CPU time per grammar, for texts that parse in milliseconds.
  setFlagsFromString('--liftoff-only');
  try {
    await Parser.init();
    return new Parser().setLanguage(await Language.load(grammar));
  } finally {
    setFlagsFromString('--no-liftoff-only');
  }
}

/** The outermost nodes that are errors or missing, in their order. */
const broken = (node: Node): Node[] =>
  node.isError || node.isMissing
    ? [node]
    : node.children.flatMap((child) => (child?.hasError ? broken(child) : []));

function describe({ startPosition, isMissing, type, text }: Node): string {
  const what = isMissing ? `${type} is missing` : JSON.stringify(text.slice(0, 60));
  return `line ${startPosition.row + 1}: ${what}`;
}
