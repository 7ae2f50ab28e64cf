/**
 * Finds the changes of the contract that can break a client that was written for an earlier one. Clients must be able to
 * send what they sent, and to read what they read: a request may not accept less, and a response may not contain less, or
 * values that clients do not know. New operations, optional parameters and fields of responses break nobody.
 *
 * oasdiff compares such documents too, but it is a Go program: `npm test` and the build of the site, which lists additions by
 * this comparison, would need Go. Its rules know neither `x-max-body-bytes` nor the dated versions of this API.
 *
 * Conditions (`if`, `not`, `allOf`) are not compared, and patterns only by their text, except those of `widerPatterns`.
 */

/**
 * Places whose pattern differs from that of the last release and accepts all that the service accepted then, as the test
 * shows with samples. Empty it when a release is recorded.
 */
export const widerPatterns = ['POST /liveness request.returnUrl', 'POST session.started 200.redirectUrl'];

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** @returns a line for each change, such as `POST /detect: the parameter attributes is removed`. */
export function breakingChanges(before, now) {
  const changes = new Set();
  const comparison = new Comparison(before, now, (change) => changes.add(change));
  comparison.comparePaths(before.paths, now.paths, ['service', 'client']);
  // In an event, the roles are reversed: the service sends the request.
  comparison.comparePaths(before.webhooks ?? {}, now.webhooks ?? {}, ['client', 'service']);
  return [...changes];
}

/** Changes that may not be released: clients keep what their version has, and a version until its announced end. */
export function refusedChanges(before, now) {
  const served = now.versions.map(({ date }) => date);
  const ended = before.versions.filter(({ date, sunsetAt }) => !sunsetAt && !served.includes(date));
  const hasNewVersion = served[0] > before.versions[0].date;
  return [
    ...(hasNewVersion ? [] : breakingChanges(before, now)),
    ...ended.map(({ date }) => `the version ${date} is removed`),
  ];
}

class Comparison {
  /** Pairs of references that are compared already; schemas may refer to themselves. */
  seen = new Set();

  /** @param report takes the line of a change. */
  constructor(before, now, report) {
    this.before = before;
    this.now = now;
    this.report = report;
  }

  /** @param readers of requests and of responses: `service`, or `client` for what clients receive. */
  comparePaths(before, now, readers) {
    for (const [path, item] of Object.entries(before))
      for (const method of methods.filter((name) => name in item)) {
        const name = `${method.toUpperCase()} ${path}`;
        const same = now[path]?.[method] && operationOf(now[path], method);
        if (same) this.compareOperations(name, operationOf(item, method), same, readers);
        else this.report(`${name} is removed`);
      }
  }

  compareOperations(name, before, now, [request, response]) {
    this.compareParameters(name, before.parameters, now.parameters, request);
    const accepted = (operation) =>
      (operation.security ?? []).map((requirement) => JSON.stringify(requirement));
    for (const requirement of accepted(before))
      if (!accepted(now).includes(requirement))
        this.report(`${name}: no longer accepts the credentials ${requirement}`);
    if (now['x-max-body-bytes'] < before['x-max-body-bytes'])
      this.report(`${name}: the largest body is smaller`);
    if (!before.requestBody?.required && now.requestBody?.required)
      this.report(`${name}: the body is required`);
    this.compareContent(`${name} request`, before.requestBody, now.requestBody, request);
    for (const [status, reply] of Object.entries(before.responses))
      if (now.responses[status]) {
        const earlier = this.resolved(reply, 'before');
        const current = this.resolved(now.responses[status], 'now');
        this.compareContent(`${name} ${status}`, earlier, current, response);
        for (const header of Object.keys(earlier.headers ?? {}))
          if (!current.headers?.[header]) this.report(`${name} ${status}: the header ${header} is removed`);
      } else if (status.startsWith('2')) this.report(`${name}: the response ${status} is removed`);
  }

  compareParameters(name, before, now, reader) {
    const byName = (parameters, side) =>
      new Map(
        parameters
          .map((parameter) => this.resolved(parameter, side))
          .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
      );
    const [earlier, current] = [byName(before, 'before'), byName(now, 'now')];
    for (const [key, parameter] of earlier) {
      const same = current.get(key);
      const label = `${name}: the parameter ${parameter.name}`;
      if (!same) this.report(`${label} is removed`);
      else this.compareSchemas(`${name} parameter ${parameter.name}`, parameter.schema, same.schema, reader);
    }
    for (const [key, { name: parameter, required }] of current)
      if (required && !earlier.get(key)?.required)
        this.report(`${name}: the parameter ${parameter} is required`);
  }

  compareContent(place, before, now, reader) {
    for (const [type, { schema }] of Object.entries(before?.content ?? {})) {
      const same = now?.content?.[type];
      if (same) this.compareSchemas(place, schema, same.schema, reader);
      else this.report(`${place}: the media type ${type} is removed`);
    }
  }

  compareSchemas(place, before = {}, now = {}, reader) {
    if (before.$ref && now.$ref) {
      const pair = `${reader} ${before.$ref} ${now.$ref}`;
      if (this.seen.has(pair)) return;
      this.seen.add(pair);
    }
    const earlier = this.resolved(before, 'before');
    const current = this.resolved(now, 'now');
    const [choices, offered] = [choicesOf(earlier), choicesOf(current)];
    if (choices || offered) {
      this.compareChoices(place, choices ?? [earlier], offered ?? [current], reader);
      if (!choices || !offered) return;
    }
    this.compareValues(place, earlier, current, reader);
    this.compareProperties(place, earlier, current, reader);
    if (earlier.items && current.items)
      this.compareSchemas(`${place}[]`, earlier.items, current.items, reader);
  }

  /** The reader must know each choice that the other side may write. */
  compareChoices(place, before, now, reader) {
    const fits = (earlier, current) => {
      const changes = [];
      new Comparison(this.before, this.now, (change) => changes.push(change)).compareSchemas(
        place,
        earlier,
        current,
        reader,
      );
      return changes.length === 0;
    };
    const written = reader === 'service' ? before : now;
    const isKnown = (choice) =>
      reader === 'service'
        ? now.some((other) => fits(choice, other))
        : before.some((other) => fits(other, choice));
    for (const [i, choice] of written.entries())
      if (!isKnown(choice)) this.report(`${place}: choice ${i + 1} is new or removed`);
  }

  compareValues(place, before, now, reader) {
    const [written, read] = reader === 'service' ? [before, now] : [now, before];
    if (!isSubtype(typesOf(written), typesOf(read)))
      this.report(`${place}: the type is ${typesOf(now) ?? 'any'}, and was ${typesOf(before) ?? 'any'}`);
    const known = valuesOf(read);
    const unknown =
      known && (valuesOf(written)?.filter((value) => !known.includes(value)) ?? ['other values']);
    if (unknown && unknown.length > 0)
      this.report(`${place}: ${reader === 'service' ? 'no longer accepts' : 'may now be'} ${unknown}`);
    if (formatOf(before) !== formatOf(now))
      this.report(`${place}: the format is ${formatOf(now)}, and was ${formatOf(before)}`);
    if (reader === 'service') this.compareBounds(place, before, now);
  }

  compareBounds(place, before, now) {
    if (now.pattern !== undefined && before.pattern !== now.pattern && !widerPatterns.includes(place))
      this.report(`${place}: the pattern differs`);
    for (const [bound, sign] of bounds)
      if (now[bound] !== undefined && !(sign * before[bound] >= sign * now[bound]))
        this.report(`${place}: ${bound} is ${now[bound]}, and was ${before[bound] ?? 'absent'}`);
  }

  compareProperties(place, before, now, reader) {
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const same = now.properties?.[name];
      if (same === undefined) this.report(`${place}.${name} is removed`);
      else this.compareSchemas(`${place}.${name}`, schema, same, reader);
    }
    const [needed, given] = reader === 'service' ? [now, before] : [before, now];
    for (const name of needed.required ?? [])
      if (!given.required?.includes(name) && now.properties?.[name])
        this.report(`${place}.${name} is ${reader === 'service' ? 'now' : 'no longer'} required`);
    if (reader === 'service' && before.additionalProperties !== false && now.additionalProperties === false)
      this.report(`${place}: other fields are rejected`);
  }

  /** Follows a reference within openapi.json, or to a schema's file, without the values that the place excludes. */
  resolved(node, side) {
    const { $ref } = node;
    if (typeof $ref !== 'string') return node;
    const contract = this[side];
    const referred = $ref.startsWith('#/')
      ? $ref
          .slice(2)
          .split('/')
          .reduce((inner, step) => inner?.[step], contract)
      : contract.schemas[$ref.replace('schemas/', '')];
    const target = this.resolved(referred, side);
    const excluded = node.then === false ? (node.if?.enum ?? []) : [];
    if (excluded.length === 0) return target;
    return { ...target, enum: valuesOf(target)?.filter((value) => !excluded.includes(value)) };
  }
}

/** The sign of the direction in which a bound becomes stricter. */
const bounds = [
  ...['minimum', 'minLength', 'minItems'].map((name) => [name, 1]),
  ...['maximum', 'maxLength', 'maxItems', 'maxProperties'].map((name) => [name, -1]),
];

const choicesOf = ({ anyOf, oneOf }) => anyOf ?? oneOf;

/** An operation with the parameters of its path. */
const operationOf = (item, method) => ({
  ...item[method],
  parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])],
});

/** Undefined if any type is allowed. Listed values have types, too. */
function typesOf(schema) {
  if (schema.type !== undefined) return [schema.type].flat();
  return valuesOf(schema)?.map((value) => (Number.isInteger(value) ? 'integer' : typeof value));
}

/** Whether a reader of some types can read all that is written; undefined stands for any type. */
const isSubtype = (written, read) =>
  !read ||
  (written?.every((type) => read.includes(type) || (type === 'integer' && read.includes('number'))) ?? false);

/** Undefined for raw bytes, which have no other form. */
const formatOf = ({ format }) => (format === 'binary' ? undefined : format);

/** Undefined if the values are not listed. */
const valuesOf = (schema) => ('const' in schema ? [schema.const] : schema.enum);
