/**
 * Writes the Python package into `build`: the files of `presenza`, the models that openapi-generator 7.14.0 writes, and a
 * method for each operation. Needs Java: `node generate.mjs openapi-generator-cli-7.14.0.jar`. `build` is ready to publish.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientDocument, retryable } from '../document.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const build = join(folder, 'build');
const [generator] = process.argv.slice(2);
if (!generator) throw new Error('Name the JAR file of openapi-generator-cli.');

/** Bounds of fields. A client that checks responses against them would reject those of a newer service. */
const BOUNDS = 'pattern minimum maximum minLength maxLength minItems maxItems uniqueItems'.split(' ');

function plainSchema(name, node) {
  if (BOUNDS.includes(name) && typeof node !== 'object') return undefined;
  if (!Array.isArray(node?.enum)) return node;
  const names = node.enum.map((value) => value.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/\W/g, '_'));
  return { ...node, 'x-enum-varnames': names.map((word) => word.toUpperCase()) };
}

const document = JSON.parse(JSON.stringify(clientDocument(), plainSchema));
const nameOf = ({ $ref }) => $ref.split('/').at(-1);
const schemaOf = (reference) => document.components.schemas[nameOf(reference)];

const TYPES = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'Mapping[str, Any]',
};

/** The annotation of an argument. Enumerations may be strings, and models dictionaries. */
function typeOf(schema) {
  if (schema.format === 'image') return 'Image';
  if (schema.type === 'array') return `Sequence[${typeOf(schema.items)}]`;
  if (!schema.$ref) return TYPES[schema.type];
  const target = schemaOf(schema);
  return target.properties ? `Union[m.${nameOf(schema)}, Mapping[str, Any]]` : typeOf(target);
}

/** `from` and `in` are keywords of Python. */
const snake = (name) =>
  /^(from|in)$/.test(name) ? `${name}_` : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function methodSource(path, method, operation) {
  const {
    operationId,
    summary,
    parameters,
    requestBody,
    responses,
    'x-all': all,
    'x-item': item,
  } = operation;
  const body = requestBody && schemaOf(requestBody.content['application/json'].schema);
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => {
    return { name, schema, in: 'body', required: body.required?.includes(name) };
  });
  const inputs = [...parameters, ...fields];
  const required = inputs.filter((input) => input.required);
  const optional = [
    ...inputs.filter((input) => !input.required),
    ...(body ? [{ name: 'idempotencyKey', schema: { type: 'string' } }] : []),
    { name: 'timeout', schema: { type: 'number' } },
  ];
  const signature = [
    'self',
    ...required.map(({ name, schema }) => `${snake(name)}: ${typeOf(schema)}`),
    '*',
    ...optional.map(({ name, schema }) => `${snake(name)}: Optional[${typeOf(schema)}] = None`),
  ].join(', ');
  const named = (some) => some.map(({ name }) => `${snake(name)}=${snake(name)}`);
  const placed = (place) => inputs.filter((input) => input.in === place);
  const entries = (place) => placed(place).map(({ name }) => `"${name}": ${snake(name)}`);
  const dictionaries = ['query', 'body'].map((place) => `${place}={${entries(place).join(', ')}}`);
  const response = `m.${nameOf(responses[200].content['application/json'].schema)}`;
  const call = [
    response,
    `"${method.toUpperCase()}"`,
    `"${path.replace(/\{\w+\}/g, '{}')}"`,
    ...placed('path').map(({ name }) => snake(name)),
    ...dictionaries.filter((dictionary) => !dictionary.endsWith('{}')),
    ...named(optional.filter((input) => !input.in)),
  ].join(', ');
  const source = `
    def ${snake(operationId)}(${signature}) -> ${response}:
        """${summary}."""
        return self._call(${call})
`;
  const pages = [
    `self.${snake(operationId)}`,
    ...required.map(({ name }) => snake(name)),
    ...named(optional),
  ];
  if (!all) return source;
  return `${source}
    def ${snake(all)}(${signature}) -> Iterator[m.${item}]:
        """Yield the items of all pages of ${snake(operationId)}."""
        return self._pages(${pages.join(', ')})
`;
}

const methods = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => methodSource(path, method, operation)),
);
const codes = Object.entries(retryable()).map(
  ([code, isRetryable]) => `    "${code}": ${isRetryable ? 'True' : 'False'},\n`,
);
const operations = `"""Generated from the contract: do not edit."""

from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import models as m
from .images import Image

RETRYABLE = {
${codes.join('')}}
"""Whether each error code allows a retry of the same request."""


class Operations:
    """A method for each operation that accepts an API key."""

    _call: Any
    _pages: Any
${methods.join('')}`;

rmSync(build, { recursive: true, force: true });
mkdirSync(build);
for (const file of ['presenza', 'pyproject.toml', 'README.md', '../../../../LICENSE'])
  cpSync(join(folder, file), join(build, basename(file)), { recursive: true });
writeFileSync(join(build, 'presenza/operations.py'), operations);
writeFileSync(join(build, 'openapi.json'), JSON.stringify(document));
const files = ['-i', 'openapi.json', '-o', '.', '-t', '../templates'];
const options = [
  '--additional-properties=packageName=presenza',
  '--global-property=models,modelDocs=false,modelTests=false',
];
execFileSync('java', ['-jar', generator, 'generate', '-g', 'python', ...files, ...options], {
  cwd: build,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const modules = readdirSync(join(build, 'presenza/models')).map((file) => basename(file, '.py'));
const className = (module) => module.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
const imports = modules.map(
  (module) => `from .${module} import ${className(module)} as ${className(module)}\n`,
);
writeFileSync(join(build, 'presenza/models/__init__.py'), imports.join(''));
