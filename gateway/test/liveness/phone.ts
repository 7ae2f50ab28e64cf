/** A user's phone, which makes the calls of one session in real time, as the hosted page does. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Movement } from '../../src/services/liveness/capture/evidence';
import { jpegOf } from './people/image';
import type { Subject } from './people/subject';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check responses against the contract's schemas
  readonly body: any;
}

export interface Capture {
  readonly attemptId: string;
  /** The responses to the accepted frames, in order. */
  readonly responses: readonly ApiResponse[];
  readonly done: boolean;
}

export interface CaptureOptions {
  /** Between two frames. Default: the interval of the attempt. */
  readonly intervalMs?: number;
  /** Default 150. */
  readonly maxFrames?: number;
}

const deviceId = 'device-of-the-tests';

export class Phone {
  constructor(
    /** URL of the gateway for the next calls. */
    public url: string,
    private readonly sessionId: string,
    private readonly accessToken: string,
    private readonly device: string = deviceId,
  ) {}

  start = () => this.post('/start', {});
  begin = () =>
    this.post('/attempts', {
      consent: true,
      device: {
        id: this.device,
        camera: { label: 'Integrated Camera', width: 640, height: 480, frameRate: 5 },
      },
    });
  cancel = () => this.post('/cancel', {});
  leave = () => this.post('/leave', {});
  complete = (attemptId: string) => this.post(`/attempts/${attemptId}/complete`, {});

  frame(
    attemptId: string,
    nonce: string,
    image: Buffer,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send(`/attempts/${attemptId}/frames`, image, {
      'content-type': 'image/jpeg',
      'x-frame-nonce': nonce,
      ...headers,
    });
  }

  /**
   * Films a subject until all steps are complete. Frames are sent on time without waiting for earlier responses. The
   * subject's time passes with the frames, so that on a busy machine the film slows down instead of skipping. A frame that
   * others overtook may be refused, which loses its nonce.
   * @throws Error for any other refusal
   */
  async capture(subject: Subject, { intervalMs, maxFrames = 150 }: CaptureOptions = {}): Promise<Capture> {
    const begun = await this.begin();
    if (begun.status !== 200) throw new Error(JSON.stringify(begun.body));
    const { attemptId, nonces, step, frameIntervalMs } = begun.body.data;
    const interval = intervalMs ?? frameIntervalMs;
    let sentAt = performance.now();
    let filmedMs = 0;
    const responses: Promise<ApiResponse | undefined>[] = [];
    const underWay = new Set<Promise<unknown>>();
    /** The refusals by the position of their frames. */
    const refusals = new Map<number, ApiResponse>();
    let newestAccepted = -1;
    let currentStep = step.index;
    let done = false;
    let asked: Movement = step.movement;
    subject.instruct(asked, 0);
    for (let sent = 0; sent < maxFrames && !done; sent++) {
      await delay(Math.max(0, sentAt + interval - performance.now()));
      sentAt = performance.now();
      filmedMs += interval;
      while (nonces.length === 0) {
        if (underWay.size === 0) throw new Error('All nonces are lost.');
        await Promise.race(underWay);
      }
      const image = await jpegOf(await subject.frameAt(filmedMs));
      const response = this.frame(attemptId, nonces.shift(), image).then((reply) => {
        underWay.delete(response);
        const { data, error } = reply.body;
        if (error?.reason === 'frame') {
          refusals.set(sent, reply);
          return undefined;
        }
        if (!data) throw new Error(JSON.stringify(reply.body));
        newestAccepted = Math.max(newestAccepted, sent);
        nonces.push(data.nonce);
        // The page asks a head that did not come back to look straight ahead first.
        const asks = data.guidance === 'turned' ? 'centre' : data.step.movement;
        if (data.step.index > currentStep || (data.step.index === currentStep && asks !== asked)) {
          currentStep = data.step.index;
          asked = asks;
          subject.instruct(asked, filmedMs);
        }
        done ||= data.done;
        return reply;
      });
      underWay.add(response);
      responses.push(response);
    }
    const accepted = (await Promise.all(responses)).filter((reply) => reply !== undefined);
    for (const [order, { body }] of refusals) {
      if (order > newestAccepted) throw new Error(JSON.stringify(body));
    }
    return { attemptId, responses: accepted, done };
  }

  private post = (path: string, body: object) =>
    this.send(path, JSON.stringify(body), { 'content-type': 'application/json' });

  private async send(
    path: string,
    body: Buffer | string,
    headers: Record<string, string>,
  ): Promise<ApiResponse> {
    const response = await fetch(`${this.url}/liveness/${this.sessionId}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.accessToken}`, ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
}
