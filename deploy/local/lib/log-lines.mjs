// The tiers' log lines, each with its tier's name in front.

const COLOURS = /** @type {Record<string, number>} */ ({ redis: 31, inference: 35, gateway: 36, site: 32 });
const DEFAULT_COLOUR = 33;

/**
 * @param {{ write: (text: string) => unknown, isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} env
 * @returns {(tier: string, line: string) => void}
 */
export function logLines(stream, env) {
  // no-color.org: any value that is not empty counts.
  const coloured = stream.isTTY === true && !env.NO_COLOR;
  return (tier, line) => {
    const prefix = `[${tier}]`;
    const colour = COLOURS[tier] ?? DEFAULT_COLOUR;
    stream.write(`${coloured ? `\x1b[${colour}m${prefix}\x1b[0m` : prefix} ${line}\n`);
  };
}
