/** The syntax check accepts valid samples and reports invalid ones. */
import { type LanguageName, syntaxErrors } from './syntax';

const samples: Record<LanguageName, string> = {
  bash: 'for id in 1 2; do\n  curl "https://example.com/$(printf %s $id)"\ndone\n',
  dart: "void main() {\n  print('a'.length);\n}\n",
  java: 'class A {\n  static void main() { System.out.println("a".length()); }\n}\n',
  javascript: "import { log } from 'a';\nlog('a'.repeat(2));\n",
  kotlin: 'fun main() {\n    println("a".length.toString())\n}\n',
  php: "<?php\necho strlen('a');\n",
  python: 'import sys\nprint(len(sys.argv))\n',
  swift: 'func main() {\n    print("a".count.description.lowercased())\n}\n',
};

describe.each(Object.entries(samples) as [LanguageName, string][])('%s', (language, text) => {
  test('a right text has no errors', async () => {
    expect(await syntaxErrors(language, text)).toEqual([]);
  });

  test('a bracket that is never closed is reported with its line', async () => {
    const lines = text.split('\n');
    lines[1] = (lines[1] as string).replace(')', '');
    expect(await syntaxErrors(language, lines.join('\n'))).toEqual([expect.stringMatching(/^line [12]: /)]);
  });

  test('a line of another language is reported', async () => {
    const lines = text.split('\n');
    lines[1] = 'SELECT FROM {{ % ] ;;;';
    expect(await syntaxErrors(language, lines.join('\n'))).not.toEqual([]);
  });
});

test('each problem is reported with its line and text', async () => {
  const text = 'class A {\n  int a = (1;\n  int b = 2;\n  int c = 3 4;\n}\n';
  expect(await syntaxErrors('java', text)).toEqual(['line 2: ) is missing', 'line 4: "4"']);
});
