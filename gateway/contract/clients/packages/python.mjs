/**
 * The Python package: the files of the folder `python`, and the methods and models that the contract describes. `pip install`
 * accepts the folder as well as the wheel.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { clientDocument, nameOf, retryable } from '../document.mjs';

const document = clientDocument();
const schemaOf = (reference) => document.components.schemas[nameOf(reference)];
const read = (path) => readFileSync(new URL(`../python/${path}`, import.meta.url), 'utf8');

/** @returns {Record<string, string>} by path */
export function pythonPackage() {
  return {
    'pyproject.toml': read('pyproject.toml'),
    'README.md': read('README.md'),
    LICENSE: read('../../../../LICENSE'),
    ...modules(),
  };
}

/** The content of a wheel (packaging.python.org), whose name is `presenza-1.0.0-py3-none-any.whl`. */
export function pythonWheel() {
  const project = read('pyproject.toml');
  const field = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)[1];
  const dependencies = JSON.parse(/^dependencies = (\[.*\])$/m.exec(project)[1]);
  const version = field('version');
  const info = `presenza-${version}.dist-info`;
  const metadata = [
    'Metadata-Version: 2.4',
    'Name: presenza',
    `Version: ${version}`,
    `Summary: ${field('description')}`,
    `License-Expression: ${field('license')}`,
    'License-File: LICENSE',
    `Requires-Python: ${field('requires-python')}`,
    ...dependencies.map((dependency) => `Requires-Dist: ${dependency}`),
    'Description-Content-Type: text/markdown',
  ];
  const files = {
    ...modules(),
    [`${info}/licenses/LICENSE`]: read('../../../../LICENSE'),
    [`${info}/METADATA`]: `${metadata.join('\n')}\n\n${read('README.md')}`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: presenza\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const rows = Object.entries(files).map(([path, content]) => {
    const hash = createHash('sha256').update(content).digest('base64url');
    return `${path},sha256=${hash},${Buffer.byteLength(content)}\n`;
  });
  return { ...files, [`${info}/RECORD`]: `${rows.join('')}${info}/RECORD,,\n` };
}

function modules() {
  const sources = readdirSync(new URL('../python/presenza', import.meta.url)).filter((name) =>
    /\.(?:py|typed)$/.test(name),
  );
  return {
    ...Object.fromEntries(sources.map((name) => [`presenza/${name}`, read(`presenza/${name}`)])),
    'presenza/models.py': models(),
    'presenza/operations.py': operations(),
  };
}

/** @returns {string} a class for each object and enumeration, each below those that it uses */
function models() {
  const classes = new Map();
  const add = (name) => {
    if (classes.has(name)) return;
    const schema = document.components.schemas[name];
    for (const [, used] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(used);
    const source = schema.enum ? enumSource : schema.properties && modelSource;
    classes.set(name, source ? source(name, schema) : '');
  };
  for (const name of Object.keys(document.components.schemas)) add(name);
  return `"""Generated from the contract: do not edit."""

import datetime as dt
from typing import Any, Dict, List, Optional, Union

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from .model import Enumeration, Model
${[...classes.values()].join('')}`;
}

function enumSource(name, { description, enum: values }) {
  const members = values.map((value) => {
    const member = value.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/\W/g, '_');
    return `    ${member.toUpperCase()} = ${JSON.stringify(value)}\n`;
  });
  return `\n\nclass ${name}(Enumeration):\n    ${JSON.stringify(description)}\n\n${members.join('')}`;
}

/** Without the bounds of fields: a client that checks responses against them would reject those of a newer service. */
function modelSource(name, { description, properties, required = [] }) {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const isRequired = required.includes(field);
    const type = modelType(schema);
    const options = [
      ...(isRequired ? [] : ['default=None']),
      ...(snake(field) === field ? [] : [`alias="${field}"`]),
      `description=${JSON.stringify(schema.description)}`,
    ];
    return `    ${snake(field)}: ${isRequired ? type : `Optional[${type}]`} = Field(${options.join(', ')})\n`;
  });
  return `\n\nclass ${name}(Model):\n    ${JSON.stringify(description)}\n\n${fields.join('')}`;
}

const MODEL_TYPES = {
  string: 'StrictStr',
  integer: 'StrictInt',
  number: 'Union[StrictFloat, StrictInt]',
  boolean: 'StrictBool',
  object: 'Dict[str, Any]',
};

function modelType(schema) {
  if (schema.$ref) {
    const target = schemaOf(schema);
    return target.enum || target.properties ? nameOf(schema) : modelType(target);
  }
  if (schema.type === 'array') return `List[${modelType(schema.items)}]`;
  if (schema.format === 'date-time') return 'dt.datetime';
  return schema.format === 'date' ? 'dt.date' : MODEL_TYPES[schema.type];
}

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

function operations() {
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => methodSource(path, method, operation)),
  );
  const codes = Object.entries(retryable()).map(
    ([code, isRetryable]) => `    "${code}": ${isRetryable ? 'True' : 'False'},\n`,
  );
  return `"""Generated from the contract: do not edit."""

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
}
