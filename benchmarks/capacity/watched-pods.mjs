/** Where pods are and which are ready, as a watch reports them. */
import { COMPONENT } from './many-pods.mjs';

export class WatchedPods {
  /** @type {Map<string, { component: string, node: string | undefined, ready: boolean }>} */
  #pods = new Map();
  /** @type {Map<string, number>} the fewest ready pods by component since `reset` */
  #fewest = new Map();

  /** @param {import('./kubernetes-api.mjs').WatchEvent} event */
  take({ type, object }) {
    const { name, labels } = object.metadata;
    const component = labels[COMPONENT];
    if (type === 'DELETED') this.#pods.delete(name);
    else this.#add(object);
    const fewest = this.#fewest.get(component) ?? Number.POSITIVE_INFINITY;
    this.#fewest.set(component, Math.min(fewest, this.ready(component)));
  }

  /** @param {import('./kubernetes-api.mjs').KubernetesObject} pod */
  #add({ metadata: { name, labels, deletionTimestamp }, spec, status }) {
    const conditions = status.conditions ?? [];
    const isReady = conditions.some(
      (/** @type {any} */ one) => one.type === 'Ready' && one.status === 'True',
    );
    this.#pods.set(name, {
      component: labels[COMPONENT],
      node: spec.nodeName,
      ready: isReady && !deletionTimestamp,
    });
  }

  /** @param {import('./kubernetes-api.mjs').KubernetesObject[]} objects all pods there are */
  begin(objects) {
    this.#pods.clear();
    for (const object of objects) this.#add(object);
  }

  reset() {
    this.#fewest.clear();
  }

  /** @param {string} [component] default: all */
  ready(component) {
    return this.readyNames(component).length;
  }

  /** @param {string} [component] default: all @returns {string[]} */
  readyNames(component) {
    return [...this.#pods]
      .filter(([, pod]) => pod.ready && (!component || pod.component === component))
      .map(([name]) => name);
  }

  /** @param {string} component */
  fewest(component) {
    return this.#fewest.get(component) ?? this.ready(component);
  }

  /**
   * The difference between the places with the most and the fewest ready pods of a component.
   * @param {string} component
   * @param {ReadonlyMap<string, string>} places by node
   */
  skew(component, places) {
    const counts = new Map([...places.values()].map((place) => [place, 0]));
    for (const pod of this.#pods.values()) {
      const place = pod.ready && pod.component === component && pod.node && places.get(pod.node);
      if (place) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    return Math.max(...counts.values()) - Math.min(...counts.values());
  }
}
