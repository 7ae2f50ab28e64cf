/** The API of the cluster that kubectl points at, through `kubectl proxy`. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { startKubectlProxy } from '../lib/kubectl-proxy.mjs';

/**
 * @typedef {any} KubernetesObject `kind`, `metadata` and what its kind has
 * @typedef {{ type: string, object: KubernetesObject }} WatchEvent
 */

/** @template T @param {(api: KubernetesApi) => Promise<T>} use @returns {Promise<T>} */
export async function withKubernetes(use) {
  const proxy = await startKubectlProxy();
  const ended = new AbortController();
  try {
    return await use(new KubernetesApi(`http://${proxy.address}`, ended.signal));
  } finally {
    ended.abort();
    await proxy.stop();
  }
}

export class KubernetesApi {
  #url;
  #signal;

  /** @param {string} url @param {AbortSignal} signal ends watches */
  constructor(url, signal) {
    this.#url = url;
    this.#signal = signal;
  }

  /** @param {string} path @returns {Promise<KubernetesObject>} */
  get(path) {
    return this.#call('GET', path);
  }

  /** @param {string} path of the list @param {KubernetesObject} object one that must not exist */
  create(path, object) {
    return this.#call('POST', path, object);
  }

  /** Creates or changes an object. @param {string} path of the object @param {KubernetesObject} object */
  apply(path, object) {
    const query = 'fieldManager=presenza-bench&force=true';
    return this.#call('PATCH', `${path}?${query}`, object, 'application/apply-patch+yaml');
  }

  /** @param {string} path */
  remove(path) {
    return this.#call('DELETE', path);
  }

  /**
   * Reports all objects of a list, and then each change. The API server may end a watch at any time; then a new
   * watch begins with the whole list.
   * @param {string} path of the list
   * @param {{ onList: (objects: KubernetesObject[]) => void, onEvent: (event: WatchEvent) => void }} listener
   */
  async watch(path, { onList, onEvent }) {
    const { items, metadata } = await this.get(path);
    onList(items);
    const query = `watch=true&resourceVersion=${metadata.resourceVersion}`;
    const response = await fetch(`${this.#url}${path}?${query}`, { signal: this.#signal });
    const lines = createInterface({ input: Readable.fromWeb(/** @type {any} */ (response.body)) });
    lines.on('line', (line) => {
      const event = JSON.parse(line);
      if (event.type === 'ERROR') lines.close();
      else onEvent(event);
    });
    lines.on('error', () => lines.close());
    lines.on('close', () => {
      if (this.#signal.aborted) return;
      this.watch(path, { onList, onEvent }).catch((error) =>
        console.error(`The watch of ${path} ended:`, error),
      );
    });
  }

  /** @param {string} method @param {string} path @param {KubernetesObject} [body] @param {string} [type] */
  async #call(method, path, body, type = 'application/json') {
    const response = await fetch(this.#url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
    });
    const result = /** @type {KubernetesObject} */ (await response.json());
    if (!response.ok) throw new Error(`${method} ${path}: ${result.message}`);
    return result;
  }
}
