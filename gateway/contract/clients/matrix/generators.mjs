// How each generator writes a client, and how that client and its program compile and run. Every command runs in a folder
// that holds a copy of the program; the client is in its subfolder `client`.

import { join } from 'node:path';
import { JAVA_LIBRARIES, npmProgram, OAPI_CODEGEN, OPENAPI_GENERATOR, python } from './tools.mjs';

/** A command line. @typedef {readonly string[]} Command */

/**
 * @typedef {object} Generator
 * @property {string} name also of the folder in `programs`
 * @property {(document: string) => Command} generate
 * @property {readonly Command[]} compile
 * @property {Command} program
 * @property {Readonly<Record<string, string>>} [env] variables of all commands
 */

/** @param {string} language @param {readonly string[]} options @returns {(document: string) => Command} */
const openapiGenerator =
  (language, ...options) =>
  (document) => {
    const files = ['-i', document, '-o', 'client', '-g', language];
    return ['java', '-jar', OPENAPI_GENERATOR, 'generate', ...files, ...options];
  };

/** @param {string} properties */
const properties = (properties) => `--additional-properties=${properties}`;

/** TypeScript 5, which the output of both generators and openapi-typescript itself need. */
const tsc = [npmProgram('tsc'), '--project', '.'];
const go = { GOTOOLCHAIN: 'local' };
const python3 = python('python');

/** @type {readonly Generator[]} */
export const GENERATORS = [
  {
    name: 'openapi-generator-python',
    generate: openapiGenerator('python', properties('packageName=presenza_api')),
    compile: [[python3, '-m', 'compileall', '-q', 'client/presenza_api']],
    program: [python3, 'program.py'],
    env: { PYTHONPATH: 'client' },
  },
  {
    name: 'openapi-generator-typescript-fetch',
    generate: openapiGenerator('typescript-fetch'),
    compile: [tsc],
    program: [process.execPath, 'dist/program.js'],
  },
  {
    name: 'openapi-generator-java',
    generate: openapiGenerator('java', '--library=native', properties('openApiNullable=false')),
    compile: [
      [
        'sh',
        '-c',
        `javac -nowarn -cp '${join(JAVA_LIBRARIES, '*')}' -d classes $(find . -path '*/test/*' -prune -o -name '*.java' -print)`,
      ],
    ],
    program: ['java', '-cp', `${join(JAVA_LIBRARIES, '*')}:classes`, 'Program'],
  },
  {
    name: 'openapi-generator-go',
    generate: openapiGenerator('go', properties('packageName=client,withGoMod=false')),
    compile: [['go', 'build', '-o', 'program', '.']],
    program: ['./program'],
    env: go,
  },
  {
    name: 'oapi-codegen',
    generate: (document) => [
      OAPI_CODEGEN,
      '-generate=types,client',
      '-package=client',
      '-o=client/client.go',
      document,
    ],
    compile: [['go', 'build', '-o', 'program', '.']],
    program: ['./program'],
    env: go,
  },
  {
    name: 'openapi-python-client',
    generate: (document) => [
      python('openapi-python-client'),
      'generate',
      '--meta=none',
      '--output-path=client/presenza_api_client',
      `--path=${document}`,
    ],
    compile: [[python3, '-m', 'compileall', '-q', 'client']],
    program: [python3, 'program.py'],
    // The generator formats its output with ruff.
    env: { PYTHONPATH: 'client', PATH: `${python('')}:${process.env.PATH}` },
  },
  {
    name: 'openapi-typescript',
    generate: (document) => [npmProgram('openapi-typescript'), document, '-o=client/schema.d.ts'],
    compile: [tsc],
    program: [process.execPath, 'dist/program.js'],
  },
];
