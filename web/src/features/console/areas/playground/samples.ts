/** A request as curl and in each client library, with the options of the playground. */
import type { Field, OperationName } from './operations';

export const languages = [
  ['curl', 'curl'],
  ['typescript', 'Node.js'],
  ['python', 'Python'],
  ['go', 'Go'],
  ['java', 'Java'],
] as const;
export type Language = (typeof languages)[number][0];

export interface SampleRequest {
  /** The address of the API, without a version. */
  readonly apiUrl: string;
  readonly operation: OperationName;
  /** Names of files by field, in the order of the client libraries' parameters. */
  readonly images: readonly (readonly [field: string, file: string])[];
  readonly fields: readonly Field[];
}

/** Name of the variable with the API key, and of the client libraries. */
const keyName = 'API_KEY';
const library = 'presenza';

export function sampleOf(language: Language, request: SampleRequest): string {
  return `${writers[language](request)}\n`;
}

const writers: Readonly<Record<Language, (request: SampleRequest) => string>> = {
  curl: ({ apiUrl, operation, images, fields }) =>
    [
      `curl -sS --fail-with-body ${quoted(`${apiUrl}/${operation}`)}`,
      `-H "Authorization: Bearer $${keyName}"`,
      ...images.map(([field, file]) => `-F ${quoted(`${field}=@${formFile(file)}`)}`),
      ...fields.map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
    ].join(' \\\n  '),

  typescript: ({ apiUrl, operation, images, fields }) => {
    const body = [
      ...images.map(([field, file]) => `${field}: readFileSync(${literal(file)}),`),
      ...fields.map(([name, value]) => `${name}: ${listed(value, '[', ']')},`),
    ];
    return [
      `import { readFileSync } from 'node:fs';`,
      `import { createClient } from '${library}';`,
      '',
      'const client = createClient({',
      `  baseUrl: ${literal(apiUrl)},`,
      `  apiKey: process.env.${keyName} ?? '',`,
      '});',
      `const { data } = await client.${operation}({`,
      ...body.map(indented(2)),
      '});',
      'console.log(data);',
    ].join('\n');
  },

  python: ({ apiUrl, operation, images, fields }) => {
    const given = [
      ...images.map(([, file]) => `Path(${literal(file)}),`),
      ...fields.map(([name, value]) => `${snake(name)}=${listed(value, '[', ']')},`),
    ];
    return [
      'import os',
      'from pathlib import Path',
      '',
      `from ${library} import ${pascal(library)}`,
      '',
      `client = ${pascal(library)}(os.environ["${keyName}"], ${literal(apiUrl)})`,
      `response = client.${operation}(`,
      ...given.map(indented(4)),
      ')',
      'print(response.data)',
    ].join('\n');
  },

  go: ({ apiUrl, operation, images, fields }) => {
    const thresholds = fields.filter(([, value]) => typeof value === 'number');
    const type = (name: string) => (name === 'attributes' ? `[]${library}.FaceAttributeName` : '[]string');
    const body = [
      ...images.map(([field]) => `${pascal(field)}: ${field},`),
      ...fields.map(([name, value]) =>
        typeof value === 'number'
          ? `${pascal(name)}: &threshold,`
          : `${pascal(name)}: ${type(name)}${listed(value, '{', '}')},`,
      ),
    ];
    return [
      'package main',
      '',
      'import (',
      ...['"context"', '"fmt"', '"log"', '"os"', '', `"${library}.example/${library}"`].map(tabbed(1)),
      ')',
      '',
      'func main() {',
      `\tclient := ${library}.New(os.Getenv("${keyName}"), ${literal(apiUrl)})`,
      ...images.flatMap(([field, file]) => [`\t${field} := read(${literal(file)})`]),
      ...thresholds.map(([, value]) => `\tthreshold := ${decimal(Number(value))}`),
      `\tresponse, err := client.${pascal(operation)}(context.Background(), ${library}.${pascal(operation)}Request{`,
      ...body.map(tabbed(2)),
      '\t})',
      '\tif err != nil {',
      '\t\tlog.Fatal(err)',
      '\t}',
      tabbed(1)('fmt.Printf("%+v\\n", response.Data)'),
      '}',
      '',
      'func read(name string) []byte {',
      '\tbytes, err := os.ReadFile(name)',
      '\tif err != nil {',
      '\t\tlog.Fatal(err)',
      '\t}',
      '\treturn bytes',
      '}',
    ].join('\n');
  },

  java: ({ apiUrl, operation, images, fields }) => {
    const valueFor = ([name, value]: Field) => {
      if (typeof value === 'number') return decimal(value);
      if (name !== 'attributes') return listed(value, 'Set.of(', ')');
      return `Set.of(${value.map((item) => `FaceAttributeName.${snake(item).toUpperCase()}`).join(', ')})`;
    };
    const setters = [
      ...images.map(([field, file]) => `.${field}(Image.of(Path.of(${literal(file)})))`),
      ...fields.map((field) => `.${field[0]}(${valueFor(field)})`),
    ];
    const needsSet = fields.some(([, value]) => typeof value !== 'number');
    return [
      'import java.nio.file.Path;',
      ...(needsSet ? ['import java.util.Set;'] : []),
      `import ${library}.*;`,
      '',
      'public class Example {',
      '  public static void main(String[] args) throws Exception {',
      `    ${pascal(library)} client = new ${pascal(library)}(System.getenv("${keyName}"), ${literal(apiUrl)});`,
      `    ${pascal(operation)}Request request = new ${pascal(operation)}Request()`,
      `${setters.map(indented(8)).join('\n')};`,
      `    System.out.println(client.${operation}(request).getData());`,
      '  }',
      '}',
    ].join('\n');
  },
};

/** A string in all of the languages but the shell. */
const literal = (text: string): string => JSON.stringify(text);

const listed = (value: Field[1], open: string, close: string): string =>
  typeof value === 'number' ? String(value) : `${open}${value.map(literal).join(', ')}${close}`;

/** With a point, as Java needs for a double. */
const decimal = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** A word of the shell, without quotes if it needs none. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;

/** The name of a file in curl's -F, which reads commas and semicolons in it as separators. */
const formFile = (name: string): string =>
  /^[\w.-]+$/.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const indented = (spaces: number) => (line: string) => ' '.repeat(spaces) + line;
const tabbed = (tabs: number) => (line: string) => (line === '' ? '' : '\t'.repeat(tabs) + line);
