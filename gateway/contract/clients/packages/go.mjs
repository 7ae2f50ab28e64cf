/**
 * The Go module: the files of the folder `go`, and the methods and types that the contract describes. It is ready to publish as
 * a repository.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { clientDocument, nameOf, retryable } from '../document.mjs';
import { webhookExample } from '../webhook-example.mjs';

const PRIMITIVES = { string: 'string', integer: 'int', number: 'float64', boolean: 'bool' };
/** Abbreviations that Go writes in capitals. */
const INITIALISM = /(Api|Dns|Id|Tls|Url|Usd)(?![a-z])/g;

/** @returns {Record<string, string>} by path */
export function goPackage() {
  const read = (path) => readFileSync(new URL(`../go/${path}`, import.meta.url), 'utf8');
  const sources = readdirSync(new URL('../go', import.meta.url)).filter((name) =>
    /\.(?:go|mod|md)$/.test(name),
  );
  const codes = Object.entries(retryable()).map(([code, value]) => [`${JSON.stringify(code)}:`, `${value},`]);
  return {
    ...Object.fromEntries(sources.map((name) => [name, read(name)])),
    LICENSE: read('../../../../LICENSE'),
    'operations.go': operations(clientDocument()),
    'retryable.go': `package presenza\n\nvar retryable = map[string]bool{\n${aligned(codes)}}\n`,
    'testdata/webhook.json': JSON.stringify(webhookExample()),
  };
}

function operations({ paths, components: { schemas } }) {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
  );
  return `package presenza

// Generated from the contract: do not edit.

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"time"
)
${Object.entries(schemas).map(typeSource).join('')}${calls.map(paramsSource).join('')}${calls.map(methodSource).join('')}`;
}

function typeSource([key, schema]) {
  const name = exported(key);
  const comment = `\n// ${name}: ${schema.description}\n`;
  if (schema.enum) return enumSource(name, comment, schema.enum);
  if (!schema.properties) {
    const isMap = schema.type === 'object';
    return `${comment}type ${name} ${isMap ? '' : '= '}${isMap ? 'map[string]any' : typeOf(schema)}\n`;
  }
  const fields = Object.entries(schema.properties).map(([field, property]) => ({
    name: field,
    schema: property,
    isRequired: schema.required?.includes(field),
  }));
  return `${comment}type ${name} struct {\n${fields.map(fieldSource).join('\n')}}\n`;
}

function enumSource(name, comment, values) {
  const constants = values.map((value) => [name + exported(value), name, `= ${JSON.stringify(value)}`]);
  return `${comment}type ${name} string\n\n// Values of ${name}.\nconst (\n${aligned(constants)})\n`;
}

/** An optional field is a pointer, unless the contract marks its type as one whose zero value is never sent. */
function fieldSource({ name, schema, isRequired }) {
  const hasZero = schema['x-omitzero'] || schema.type === 'array';
  const pointer = isRequired || hasZero ? '' : '*';
  const options = `${isRequired ? '' : ',omitempty'}${schema['x-omitzero'] ? ',omitzero' : ''}`;
  return `\t// ${exported(name)}: ${schema.description}\n\t${exported(name)} ${pointer}${typeOf(schema)} \`json:"${name}${options}"\`\n`;
}

function typeOf(schema) {
  if (schema.$ref) return exported(nameOf(schema));
  if (schema.format === 'image') return 'Image';
  if (schema.format === 'date-time') return 'time.Time';
  if (schema.type === 'array') return `[]${typeOf(schema.items)}`;
  return PRIMITIVES[schema.type];
}

function paramsSource({ operationId, parameters }) {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return '';
  const name = `${exported(operationId)}Params`;
  const fields = query.map(({ name: field, schema, description, ...rest }) =>
    fieldSource({ name: field, schema: { ...rest, ...schema, description } }),
  );
  return `\n// ${name} are the parameters of ${exported(operationId)}.\ntype ${name} struct {\n${fields.join('\n')}}\n`;
}

function methodSource({ path, method, operationId, summary, parameters, requestBody, responses, ...lists }) {
  const { 'x-all': all, 'x-item': item } = lists;
  const name = exported(operationId);
  const result = exported(nameOf(responses[200].content['application/json'].schema));
  const ids = parameters.filter((parameter) => parameter.in === 'path');
  const hasQuery = parameters.some((parameter) => parameter.in === 'query');
  const request = requestBody && exported(nameOf(requestBody.content['application/json'].schema));
  const inputs = [
    'ctx context.Context',
    ...ids.map((id) => `${local(id.name)} ${typeOf(id.schema)}`),
    ...(request ? [`request ${request}`] : []),
    ...(hasQuery ? [`params *${name}Params`] : []),
  ].join(', ');
  const escaped = ids.map((id) => `, url.PathEscape(${local(id.name)})`).join('');
  const pattern = JSON.stringify(path.replace(/\{\w+\}/g, '%s'));
  const address = escaped ? `fmt.Sprintf(${pattern}${escaped})` : pattern;
  const query = hasQuery ? 'queryOf(params)' : 'nil';
  const verb = `http.Method${method[0].toUpperCase()}${method.slice(1)}`;
  const source = `
// ${name} is ${method.toUpperCase()} ${path}: ${summary}.
func (c *Client) ${name}(${inputs}) (*${result}, error) {
	return call[${result}](ctx, c, ${verb}, ${address}, ${query}, ${request ? 'request' : 'nil'})
}
`;
  if (!all) return source;
  return `${source}
// ${exported(all)} yields the items of all pages of ${name}. An error ends the sequence.
func (c *Client) ${exported(all)}(${inputs}) iter.Seq2[${exported(item)}, error] {
	return pages[${exported(item)}](ctx, c, ${address}, ${query})
}
`;
}

/** session.started becomes SessionStarted. */
const exported = (name) =>
  name
    .replace(/(?:^|\W)(\w)/g, (_, letter) => letter.toUpperCase())
    .replace(INITIALISM, (word) => word.toUpperCase());

const local = (name) => name[0] + exported(name).slice(1);

/** Lines in columns, as gofmt writes them. @param {string[][]} rows */
function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map(
      (row) =>
        `\t${row
          .map((cell, column) => cell.padEnd(widths[column]))
          .join(' ')
          .trimEnd()}\n`,
    )
    .join('');
}
