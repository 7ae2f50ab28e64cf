export type OnnxDevice = 'cuda' | 'webgpu' | 'cpu';

/** TFJS runs on libtensorflow with a GPU, or on WebAssembly. */
export type Device = OnnxDevice | 'tensorflow' | 'wasm';
