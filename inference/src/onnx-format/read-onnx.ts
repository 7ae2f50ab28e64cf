/**
 * Reads an ONNX file into the form that the compiler changes. It accepts only graphs that it understands in full: ONNX's
 * own operators, without loops, branches and functions, and with weights of the types that compiled models have.
 */
import {
  type ElementType,
  elementTypes,
  modelType,
  type OnnxAttribute,
  type OnnxModel,
  type OnnxNode,
  type OnnxPort,
  type OnnxTensor,
} from './onnx-file';

export type ReadModel = OnnxModel & { readonly opset: number };

/**
 * @returns the model, with constant nodes as initializers and without the shapes of inner values; undefined when the bytes
 * are no ONNX file, or one whose graph this module does not understand in full.
 */
export function readOnnx(file: Uint8Array): ReadModel | undefined {
  const decoded = decode(file);
  if (!decoded) return undefined;
  try {
    return modelOf(decoded);
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

/** The file holds something that this module does not read. */
class NotUnderstood extends Error {}

function decode(file: Uint8Array): Fields | undefined {
  try {
    // Read 64-bit integers as strings, because a number would round the largest ones.
    return modelType.toObject(modelType.decode(file), { longs: String, defaults: true }) as Fields;
  } catch {
    // protobufjs reports bytes that are no message with errors of several kinds.
    return undefined;
  }
}

/** A message by the names in `onnx-file.ts`. Each function below knows the fields of its own message. */
// biome-ignore lint/suspicious/noExplicitAny: the schema is data, so its messages have no types.
type Fields = Record<string, any>;

function modelOf({ graph, functions, opsetImport, metadataProps }: Fields): ReadModel {
  if (!graph || functions.length > 0 || graph.sparseInitializer.length > 0) throw new NotUnderstood();
  const opset = opsetImport.find(({ domain }: Fields) => isStandard(domain));
  const nodes: OnnxNode[] = graph.node.map(nodeOf);
  const constants = nodes.flatMap((node) => constantOf(node) ?? []);
  return {
    name: graph.name,
    opset: integer(opset?.version ?? '0'),
    inputs: graph.input.map(portOf),
    outputs: graph.output.map(portOf),
    nodes: nodes.filter((node) => !constantOf(node)),
    initializers: [...graph.initializer.map(tensorOf), ...constants],
    metadata: Object.fromEntries(metadataProps.map(({ key, value }: Fields) => [key, value])),
  };
}

const isStandard = (domain: string) => domain === '' || domain === 'ai.onnx';

function nodeOf({ opType, input, output, attribute, domain }: Fields): OnnxNode {
  if (!isStandard(domain)) throw new NotUnderstood();
  const attributes = Object.fromEntries(
    attribute.map((fields: Fields) => [fields.name, attributeOf(fields)]),
  );
  return { op: opType, inputs: input, outputs: output, attributes };
}

// AttributeProto.AttributeType: FLOAT 1, INT 2, STRING 3, TENSOR 4, FLOATS 6, INTS 7.
function attributeOf({ type, f, i, s, t, floats, ints }: Fields): OnnxAttribute {
  if (type === 1) return { float: f };
  if (type === 2) return integer(i);
  if (type === 3) return Buffer.from(s).toString();
  if (type === 4) return { tensor: tensorOf(t) };
  if (type === 6) return { floats };
  if (type === 7) return ints.map(integer);
  throw new NotUnderstood();
}

/** The tensor of a `Constant` node. */
function constantOf({ op, outputs, attributes }: OnnxNode): OnnxTensor | undefined {
  const { value } = attributes;
  if (op !== 'Constant' || typeof value !== 'object' || !('tensor' in value)) return undefined;
  return { ...value.tensor, name: outputs[0] as string };
}

const typeNames = new Map(Object.entries(elementTypes).map(([name, id]) => [id, name as ElementType]));

function elementTypeOf(id: number): ElementType {
  const name = typeNames.get(id as (typeof elementTypes)[ElementType]);
  if (!name) throw new NotUnderstood();
  return name;
}

function tensorOf(fields: Fields): OnnxTensor {
  const { name, dataType, dims, rawData, floatData, int32Data, int64Data, dataLocation } = fields;
  const external = 1;
  if (dataLocation === external) throw new NotUnderstood();
  const type = elementTypeOf(dataType);
  const typed = { name, type, dims: dims.map(integer) };
  // A file holds the values of a tensor as bytes or as a list of numbers; small types are in the list of 32-bit integers.
  if (floatData.length > 0) return { ...typed, data: bytesOf(Float32Array.from(floatData)) };
  if (int64Data.length > 0) return { ...typed, data: bytesOf(BigInt64Array.from(int64Data, BigInt)) };
  if (int32Data.length > 0) return { ...typed, data: bytesOf(listOf[type]?.from(int32Data)) };
  // The bytes must not stay a Buffer, whose `slice` does not copy.
  return { ...typed, data: bytesOf(rawData) };
}

const listOf: Partial<Record<ElementType, { from(values: readonly number[]): ArrayBufferView }>> = {
  int8: Int8Array,
  uint8: Uint8Array,
  int32: Int32Array,
  float16: Uint16Array,
};

function bytesOf(values: ArrayBufferView | undefined): Uint8Array {
  if (!values) throw new NotUnderstood();
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function portOf({ name, type }: Fields): OnnxPort {
  const tensor = type?.tensorType;
  if (!tensor) throw new NotUnderstood();
  const elementType = elementTypeOf(tensor.elemType);
  if (!tensor.shape) return { name, type: elementType };
  const dims = tensor.shape.dim.map(({ dimValue, dimParam }: Fields, axis: number) =>
    dimParam !== '' || dimValue === '0' ? dimParam || `${name}_${axis}` : integer(dimValue),
  );
  return { name, type: elementType, dims };
}

/** @throws NotUnderstood when a JavaScript number cannot hold the integer. */
function integer(digits: string): number {
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) throw new NotUnderstood();
  return value;
}
