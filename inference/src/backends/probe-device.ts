/**
 * Run as a child process with a device as its argument: makes a session there, runs it, prints what it found as one
 * line of JSON. A process of its own, because a driver that is half there can take its process down.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type OnnxDevice, sessionOptions } from './onnx';
import { probeInput, probeModel, probeShape } from './probe-model';

/** What the child prints. */
export type ProbeReport =
  | {
      readonly works: true /** Fastest of three runs. */;
      readonly runMs: number /** Sum of the output. */;
      readonly sum: number;
    }
  | { readonly works: false; readonly message: string };

async function probe(device: OnnxDevice, deviceId: number): Promise<ProbeReport> {
  const session = await InferenceSession.create(probeModel(), sessionOptions(device, deviceId));
  const input = new Tensor('float32', probeInput(), probeShape);
  let runMs = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let run = 0; run < 4; run++) {
    const begin = performance.now();
    const { y } = (await session.run({ x: input })) as { y: Tensor };
    // The first run plans and compiles.
    if (run > 0) runMs = Math.min(runMs, performance.now() - begin);
    sum = (y.data as Float32Array).reduce((a, b) => a + b, 0);
  }
  await session.release();
  return { works: true, runMs, sum };
}

/** ONNX Runtime puts its source position and the failed check before what went wrong. */
const inOneLine = (message: string) =>
  message
    .replace(/^.* was false\. /s, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const [device, deviceId] = process.argv.slice(2);
probe(device as OnnxDevice, Number(deviceId))
  .catch((error: Error): ProbeReport => ({ works: false, message: inOneLine(error.message) }))
  .then((report) => process.stdout.write(`${JSON.stringify(report)}\n`));
