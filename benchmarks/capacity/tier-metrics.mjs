/** What the inference tier says of its own times at /metrics. */

/** @param {string} url @returns {Promise<Map<string, number>>} by name and labels, as Prometheus writes them */
async function readMetrics(url) {
  const response = await fetch(`${url}/metrics`);
  const lines = (await response.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/**
 * Starts to count.
 * @param {string} url of the tier
 * @returns {Promise<() => Promise<Record<string, number>>>} seconds in models since then, by role
 */
export async function countModelSeconds(url) {
  const before = await readMetrics(url);
  return async () => {
    const name = /^presenza_inference_model_seconds_total\{model="(\w+)"\}$/;
    const after = [...(await readMetrics(url))];
    return Object.fromEntries(
      after.flatMap(([key, value]) => {
        const role = name.exec(key)?.[1];
        const seconds = value - (before.get(key) ?? 0);
        return role && seconds > 0 ? [[role, seconds]] : [];
      }),
    );
  };
}
