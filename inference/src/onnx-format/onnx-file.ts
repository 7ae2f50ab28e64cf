/**
 * Reads and writes the part of the ONNX file format that compiled models need. Field numbers are those of onnx.proto3
 * (ONNX 1.14, IR version 8); protobufjs does the encoding.
 */
import protobuf from 'protobufjs/light';

export const elementTypes = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const;
export type ElementType = keyof typeof elementTypes;

export interface OnnxTensor {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly number[];
  /** Little-endian values, row-major. */
  readonly data: Uint8Array;
}

export type OnnxAttribute =
  | number
  | string
  | readonly number[]
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly tensor: OnnxTensor };

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, OnnxAttribute>>;
}

/** A graph input or output. A string is a symbolic dimension (`N`, the batch); without `dims` any shape is allowed. */
export interface OnnxPort {
  readonly name: string;
  readonly type: ElementType;
  readonly dims?: readonly (number | string)[];
}

export interface OnnxModel {
  readonly name: string;
  readonly inputs: readonly OnnxPort[];
  readonly outputs: readonly OnnxPort[];
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Version of ONNX's operators. Default: that of this compiler. */
  readonly opset?: number;
}

const field = (id: number, type: string, rule?: 'repeated') => (rule ? { id, type, rule } : { id, type });

const root = protobuf.Root.fromJSON({
  nested: {
    AttributeProto: {
      fields: {
        name: field(1, 'string'),
        f: field(2, 'float'),
        i: field(3, 'int64'),
        s: field(4, 'bytes'),
        t: field(5, 'TensorProto'),
        floats: field(7, 'float', 'repeated'),
        ints: field(8, 'int64', 'repeated'),
        type: field(20, 'int32'),
      },
    },
    NodeProto: {
      fields: {
        input: field(1, 'string', 'repeated'),
        output: field(2, 'string', 'repeated'),
        name: field(3, 'string'),
        opType: field(4, 'string'),
        attribute: field(5, 'AttributeProto', 'repeated'),
        domain: field(7, 'string'),
      },
    },
    TensorProto: {
      fields: {
        dims: field(1, 'int64', 'repeated'),
        dataType: field(2, 'int32'),
        floatData: field(4, 'float', 'repeated'),
        int32Data: field(5, 'int32', 'repeated'),
        int64Data: field(7, 'int64', 'repeated'),
        name: field(8, 'string'),
        rawData: field(9, 'bytes'),
        dataLocation: field(14, 'int32'),
      },
    },
    Dimension: { fields: { dimValue: field(1, 'int64'), dimParam: field(2, 'string') } },
    TensorShapeProto: { fields: { dim: field(1, 'Dimension', 'repeated') } },
    TensorTypeProto: { fields: { elemType: field(1, 'int32'), shape: field(2, 'TensorShapeProto') } },
    TypeProto: { fields: { tensorType: field(1, 'TensorTypeProto') } },
    ValueInfoProto: { fields: { name: field(1, 'string'), type: field(2, 'TypeProto') } },
    StringStringEntryProto: { fields: { key: field(1, 'string'), value: field(2, 'string') } },
    OperatorSetIdProto: { fields: { domain: field(1, 'string'), version: field(2, 'int64') } },
    GraphProto: {
      fields: {
        node: field(1, 'NodeProto', 'repeated'),
        name: field(2, 'string'),
        initializer: field(5, 'TensorProto', 'repeated'),
        input: field(11, 'ValueInfoProto', 'repeated'),
        output: field(12, 'ValueInfoProto', 'repeated'),
        sparseInitializer: field(15, 'bytes', 'repeated'),
      },
    },
    ModelProto: {
      fields: {
        irVersion: field(1, 'int64'),
        producerName: field(2, 'string'),
        graph: field(7, 'GraphProto'),
        opsetImport: field(8, 'OperatorSetIdProto', 'repeated'),
        metadataProps: field(14, 'StringStringEntryProto', 'repeated'),
        functions: field(25, 'bytes', 'repeated'),
      },
    },
  },
});
export const modelType = root.lookupType('ModelProto');
const nodeType = root.lookupType('NodeProto');
const portType = root.lookupType('ValueInfoProto');

const irVersion = 8;
/** The version of ONNX's operators that this compiler writes. */
export const opsetVersion = 17;

/** Serializes a model as the bytes of an `.onnx` file. */
export function encodeOnnx(model: OnnxModel): Uint8Array {
  return modelType
    .encode(
      modelType.create({
        irVersion,
        producerName: 'presenza',
        opsetImport: [{ domain: '', version: model.opset ?? opsetVersion }],
        metadataProps: Object.entries(model.metadata).map(([key, value]) => ({ key, value })),
        graph: {
          name: model.name,
          node: model.nodes.map((node, index) => nodeFields(node, `${node.op}_${index}`)),
          initializer: model.initializers.map(tensorFields),
          input: model.inputs.map(portFields),
          output: model.outputs.map(portFields),
        },
      }),
    )
    .finish();
}

/** The bytes of one `NodeProto`. */
export const encodeNode = (node: OnnxNode): Uint8Array =>
  nodeType.encode(nodeType.create(nodeFields(node, node.outputs[0] as string))).finish();

/** The bytes of one `ValueInfoProto`. */
export const encodePort = (port: OnnxPort): Uint8Array =>
  portType.encode(portType.create(portFields(port))).finish();

const nodeFields = (node: OnnxNode, name: string) => ({
  name,
  opType: node.op,
  input: node.inputs,
  output: node.outputs,
  attribute: Object.entries(node.attributes).map(([key, value]) => attributeFields(key, value)),
});

const tensorFields = (tensor: OnnxTensor) => ({
  name: tensor.name,
  dims: tensor.dims,
  dataType: elementTypes[tensor.type],
  rawData: tensor.data,
});

// AttributeProto.AttributeType: FLOAT 1, INT 2, STRING 3, TENSOR 4, FLOATS 6, INTS 7.
function attributeFields(name: string, value: OnnxAttribute) {
  if (typeof value === 'number') return { name, type: 2, i: value };
  if (typeof value === 'string') return { name, type: 3, s: Buffer.from(value) };
  if ('float' in value) return { name, type: 1, f: value.float };
  if ('floats' in value) return { name, type: 6, floats: value.floats };
  if ('tensor' in value) return { name, type: 4, t: tensorFields(value.tensor) };
  return { name, type: 7, ints: value };
}

function portFields(port: OnnxPort) {
  const dim = port.dims?.map((d) => (typeof d === 'number' ? { dimValue: d } : { dimParam: d }));
  const shape = dim ? { shape: { dim } } : {};
  return { name: port.name, type: { tensorType: { elemType: elementTypes[port.type], ...shape } } };
}
