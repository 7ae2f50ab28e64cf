/**
 * Adapts an ONNX file to the input of every served model: uint8 pixels [N, height, width, channels], RGB. A few nodes in
 * front of its graph convert, reorder and normalize them and feed the graph's own input; its outputs get the manifest's
 * names. The other fields of the file, which `plain-file` and `faster-file` may have rewritten before, stay byte for byte.
 * Field numbers are those of onnx.proto3.
 */
import { fieldOf, type OnnxManifest } from '../catalogue/manifest';
import {
  elementTypes,
  encodeNode,
  encodePort,
  type OnnxNode,
  type OnnxTensor,
} from '../onnx-format/onnx-file';
import { allOf, bytesField, fieldsOf, lastOf, textOf, type WireField } from '../onnx-format/protobuf-fields';

const modelFields = { graph: 7, opset: 8, functions: 25 } as const;
const graphFields = { node: 1, initializer: 5, input: 11, output: 12 } as const;
const nodeFields = { input: 1, output: 2, attribute: 5 } as const;
/** `t` and `tensors` hold tensors, `g` and `graphs` the bodies of loops and branches. */
const attributeFields = { tensor: 5, graph: 6, tensors: 10, graphs: 11 } as const;
const tensorFields = { name: 8, dataLocation: 14 } as const;
const external = 1;

/** The added arithmetic broadcasts, which older operator sets do not support, and neither does ONNX Runtime. */
const oldestOpset = 7;

/** The only batch that a graph takes; undefined where it takes any. */
type Batch = number | undefined;

interface Port {
  readonly name: string;
  readonly elementType: number;
  /** A symbolic dimension is undefined, and so is the list where the file has no shape. */
  readonly dims: readonly (number | undefined)[] | undefined;
  readonly field: WireField;
}

/**
 * @param file bytes of an ONNX file, published or an operator's.
 * @returns bytes of an ONNX file with one uint8 input and the manifest's outputs.
 * @throws Error, one sentence that names manifest and field, when file and manifest do not match.
 */
export function adaptOnnx(manifest: OnnxManifest, file: Uint8Array): Uint8Array {
  const model = readModel(manifest, file);
  const graph = readGraph(manifest, model);
  const input = findInput(manifest, graph);
  const batch = checkInput(manifest, input);
  const { taken } = graph;
  const { width, height, channels } = manifest.input;
  const pixels = freeName('pixels', taken);
  const nodes = prefix(manifest, { pixels, feeds: input.name, taken });
  const outputs = renameOutputs(manifest, graph.outputs, taken);
  const port = { name: pixels, type: 'uint8' as const, dims: [batch ?? 'N', height, width, channels] };
  const rest = graph.fields.filter((field) => field !== input.field && field.id !== graphFields.output);
  // Nodes must be in the order of their execution; the fields of a message may have any order.
  const adapted = [
    ...nodes.flatMap((node) => bytesField(graphFields.node, [encodeNode(node)])),
    ...bytesField(graphFields.input, [encodePort(port)]),
    ...rest.map(({ raw }) => raw),
    ...outputs.nodes.flatMap((node) => bytesField(graphFields.node, [encodeNode(node)])),
    ...outputs.ports.flatMap((bytes) => bytesField(graphFields.output, bytes)),
  ];
  return Buffer.concat(
    model.flatMap((field) =>
      field.id === modelFields.graph ? bytesField(modelFields.graph, adapted) : [field.raw],
    ),
  );
}

/**
 * Names and sizes for running the unchanged file.
 * @returns the graph's input, the only batch that it takes, if any, and the source of each output.
 */
export function originalPorts(manifest: OnnxManifest, file: Uint8Array) {
  const graph = readGraph(manifest, readModel(manifest, file));
  const input = findInput(manifest, graph);
  return {
    input: input.name,
    batch: checkInput(manifest, input),
    outputs: manifest.outputs.map((_, i) => findOutput(manifest, graph.outputs, i).name),
  };
}

function readModel(manifest: OnnxManifest, file: Uint8Array): WireField[] {
  const fields = attempt(() => fieldsOf(file));
  const graphs = fields ? allOf(fields, modelFields.graph) : [];
  if (!fields || graphs.length !== 1) {
    // The file may be a web page, a pointer of Git LFS, or a part of the model.
    const start = Buffer.from(file.subarray(0, 20)).toString('latin1');
    throw new Error(
      `${fieldOf(manifest, 'source')}: not a whole ONNX file, it begins with ${JSON.stringify(start)}`,
    );
  }
  const opset = allOf(fields, modelFields.opset)
    .map(({ bytes }) => fieldsOf(bytes))
    .find((entry) => ['', 'ai.onnx'].includes(textOf(lastOf(entry, 1))));
  const version = opset ? (lastOf(opset, 2)?.int ?? 0) : 0;
  if (version < oldestOpset) {
    throw new Error(
      `${fieldOf(manifest, 'source')}: the file uses operator set ${version}; convert it to ${oldestOpset} or later`,
    );
  }
  return fields;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

interface ReadGraph {
  readonly fields: readonly WireField[];
  /** The inputs except weights, which older files list among them. */
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** The names of all values of the graph. */
  readonly taken: Set<string>;
}

function readGraph(manifest: OnnxManifest, model: readonly WireField[]): ReadGraph {
  const fields = attempt(() => fieldsOf((lastOf(model, modelFields.graph) as WireField).bytes));
  if (!fields) throw new Error(`${fieldOf(manifest, 'source')}: not an ONNX file`);
  const functions = allOf(model, modelFields.functions).flatMap(({ bytes }) => allOf(fieldsOf(bytes), 7));
  if (holdsExternalData(fields) || functions.some(({ bytes }) => nodeHoldsExternalData(bytes))) {
    throw new Error(
      `${fieldOf(manifest, 'source')}: the file keeps its weights in another file; save it again with the weights inside`,
    );
  }
  const weights = new Set(
    allOf(fields, graphFields.initializer).map(({ bytes }) =>
      textOf(lastOf(fieldsOf(bytes), tensorFields.name)),
    ),
  );
  const inputs = allOf(fields, graphFields.input).map(readPort);
  const outputs = allOf(fields, graphFields.output).map(readPort);
  const values = allOf(fields, graphFields.node).flatMap(({ bytes }) =>
    fieldsOf(bytes)
      .filter(({ id }) => id === nodeFields.input || id === nodeFields.output)
      .map(textOf),
  );
  return {
    fields,
    inputs: inputs.filter(({ name }) => !weights.has(name)),
    outputs,
    taken: new Set([...weights, ...values, ...inputs.map(({ name }) => name)]),
  };
}

function holdsExternalData(graph: readonly WireField[]): boolean {
  return (
    allOf(graph, graphFields.initializer).some(({ bytes }) => isExternal(bytes)) ||
    allOf(graph, graphFields.node).some(({ bytes }) => nodeHoldsExternalData(bytes))
  );
}

function nodeHoldsExternalData(node: Uint8Array): boolean {
  return allOf(fieldsOf(node), nodeFields.attribute).some(({ bytes }) =>
    fieldsOf(bytes).some(({ id, bytes: held }) => {
      if (id === attributeFields.tensor || id === attributeFields.tensors) return isExternal(held);
      return (
        (id === attributeFields.graph || id === attributeFields.graphs) && holdsExternalData(fieldsOf(held))
      );
    }),
  );
}

const isExternal = (tensor: Uint8Array) =>
  lastOf(fieldsOf(tensor), tensorFields.dataLocation)?.int === external;

/** Reads a ValueInfoProto: name 1, type 2; its tensor type 1: element type 1, shape 2; its dimensions: value 1. */
function readPort(field: WireField): Port {
  const info = fieldsOf(field.bytes);
  const inside = (fields: readonly WireField[], id: number) => {
    const inner = lastOf(fields, id);
    return inner && fieldsOf(inner.bytes);
  };
  const tensor = inside(inside(info, 2) ?? [], 1) ?? [];
  const shape = inside(tensor, 2);
  return {
    name: textOf(lastOf(info, 1)),
    elementType: lastOf(tensor, 1)?.int ?? 0,
    dims: shape && allOf(shape, 1).map(({ bytes }) => lastOf(fieldsOf(bytes), 1)?.int || undefined),
    field,
  };
}

function findInput(manifest: OnnxManifest, { inputs }: ReadGraph): Port {
  const names = inputs.map(({ name }) => `"${name}"`).join(', ');
  if (inputs.length !== 1) {
    throw new Error(
      `${fieldOf(manifest, 'source')}: the file must have one input for the image, not ${names}`,
    );
  }
  const [input] = inputs as [Port];
  const { source = input.name } = manifest.input;
  if (source !== input.name) {
    throw new Error(
      `${fieldOf(manifest, 'input.source')}: the file has no input "${source}", its input is ${names}`,
    );
  }
  return input;
}

/** @returns the batch that the graph takes. */
function checkInput(manifest: OnnxManifest, { name, elementType, dims }: Port): Batch {
  const { layout, width, height, channels, batch } = manifest.input;
  if (elementType !== elementTypes.float) {
    throw new Error(`${fieldOf(manifest, 'source')}: the input "${name}" must take float32 values`);
  }
  if (!dims) return batch;
  if (dims.length !== 4) {
    throw new Error(
      `${fieldOf(manifest, 'source')}: the input "${name}" has ${dims.length} dimensions, an image has 4`,
    );
  }
  const declared =
    layout === 'NCHW' ? { batch, channels, height, width } : { batch, height, width, channels };
  Object.entries(declared).forEach(([field, value], axis) => {
    const fixed = dims[axis];
    if (value === undefined || fixed === undefined || fixed === value) return;
    throw new Error(
      `${fieldOf(manifest, `input.${field}`)} is ${value}, the file wants ${fixed} (its input "${name}" is [${dims.map((d) => d ?? '?')}], read as ${layout})`,
    );
  });
  return batch ?? dims[0];
}

/** Nodes between the pixels and the graph's own input. */
function prefix(
  manifest: OnnxManifest,
  { pixels, feeds, taken }: { pixels: string; feeds: string; taken: Set<string> },
): OnnxNode[] {
  const { layout, order } = manifest.input;
  const { factor, shift } = normalization(manifest);
  const nodes: OnnxNode[] = [];
  let value = pixels;
  const then = (op: string, attributes: OnnxNode['attributes'], ...others: string[]) => {
    const output = freeName(`pixels_${op.toLowerCase()}`, taken);
    nodes.push({ op, inputs: [value, ...others], outputs: [output], attributes });
    value = output;
  };
  const constant = (tensor: Omit<OnnxTensor, 'name'>) => {
    const output = freeName('pixels_constant', taken);
    nodes.push({
      op: 'Constant',
      inputs: [],
      outputs: [output],
      attributes: { value: { tensor: { ...tensor, name: output } } },
    });
    return output;
  };
  // Transpose first, because bytes move faster than floats, and whole planes faster than single values.
  if (layout === 'NCHW') then('Transpose', { perm: [0, 3, 1, 2] });
  if (order === 'BGR') {
    const data = new Uint8Array(BigInt64Array.of(2n, 1n, 0n).buffer);
    then('Gather', { axis: layout === 'NCHW' ? 1 : 3 }, constant({ type: 'int64', dims: [3], data }));
  }
  then('Cast', { to: elementTypes.float });
  for (const [op, values, neutral] of [
    ['Mul', factor, 1],
    ['Add', shift, 0],
  ] as const) {
    if (values.every((number) => number === neutral)) continue;
    const data = new Uint8Array(Float32Array.from(values).buffer);
    const dims = layout === 'NCHW' ? [values.length, 1, 1] : [values.length];
    then(op, {}, constant({ type: 'float', dims, data }));
  }
  const last = nodes.pop() as OnnxNode;
  return [...nodes, { ...last, outputs: [feeds] }];
}

/** `(pixel * scale + offset - mean) / std` as `pixel * factor + shift`, per channel of the graph. */
function normalization({ input }: OnnxManifest): { factor: number[]; shift: number[] } {
  const { channels, scale = 1, offset = 0 } = input;
  const each = Array.from({ length: channels }, (_, i) => ({
    mean: input.mean?.[i] ?? 0,
    std: input.std?.[i] ?? 1,
  }));
  return {
    factor: each.map(({ std }) => scale / std),
    shift: each.map(({ mean, std }) => (offset - mean) / std),
  };
}

function findOutput(manifest: OnnxManifest, outputs: readonly Port[], index: number): Port {
  const { source, name } = manifest.outputs[index] as OnnxManifest['outputs'][number];
  const wanted = source ?? (outputs.length === 1 ? (outputs[0] as Port).name : name);
  const port = outputs.find((output) => output.name === wanted);
  if (!port) {
    throw new Error(
      `${fieldOf(manifest, `outputs.${index}.source`)}: the file has no output "${wanted}", its outputs are ${outputs.map((output) => `"${output.name}"`).join(', ')}`,
    );
  }
  if (port.elementType !== elementTypes.float) {
    throw new Error(
      `${fieldOf(manifest, `outputs.${index}`)}: the file's output "${wanted}" must hold float32 values`,
    );
  }
  return port;
}

/** Ports of the manifest's outputs, and the nodes that rename values. */
function renameOutputs(manifest: OnnxManifest, outputs: readonly Port[], taken: ReadonlySet<string>) {
  const nodes: OnnxNode[] = [];
  const ports = manifest.outputs.map(({ name }, i) => {
    const { name: source, field } = findOutput(manifest, outputs, i);
    if (name === source) return [field.bytes];
    if (taken.has(name)) {
      throw new Error(
        `${fieldOf(manifest, `outputs.${i}.name`)}: another value of the file's graph is called "${name}"; rename it in the file`,
      );
    }
    nodes.push({ op: 'Identity', inputs: [source], outputs: [name], attributes: {} });
    const others = fieldsOf(field.bytes).filter(({ id }) => id !== 1);
    return [...bytesField(1, [Buffer.from(name)]), ...others.map(({ raw }) => raw)];
  });
  return { nodes, ports };
}

/** A name that no other value has. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let i = 1; taken.has(name); i++) name = `${wanted}_${i}`;
  taken.add(name);
  return name;
}
