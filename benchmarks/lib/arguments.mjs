/** Arguments of the runner: names select measurements, `--key=value` sets a condition. */

/** @typedef {import('./types').Measurement} Measurement */

/** @param {readonly string[]} args */
export const asksForHelp = (args) => args.includes('--help') || args.includes('-h');

/**
 * @param {readonly string[]} args
 * @param {readonly Measurement[]} measurements
 * @returns {{ fault: string } | { quick: boolean, chosen: Measurement[], overrides: Record<string, string> }}
 */
export function parseArguments(args, measurements) {
  const overrides = {};
  const names = [];
  const quick = args.includes('--quick');
  for (const arg of args) {
    const [, key, value] = arg.match(/^--([^=]+)=(.*)$/) ?? [];
    if (key !== undefined) overrides[key] = value;
    else if (arg.startsWith('-') && arg !== '--quick')
      return { fault: `${arg} has no value: conditions are given as --name=value.` };
    else if (arg !== '--quick') names.push(arg);
  }
  const unknown = names.find((name) => !measurements.some((measurement) => matches(measurement, name)));
  if (unknown !== undefined) return { fault: `There is no measurement "${unknown}"; see --help.` };
  const chosen = measurements.filter((measurement) =>
    names.length === 0 ? !measurement.onDemand : names.some((name) => matches(measurement, name)),
  );
  const fault = faultOf(overrides, chosen);
  return fault ? { fault } : { quick, chosen, overrides };
}

/** @param {Measurement} measurement @param {string} name the whole name or its group */
const matches = (measurement, name) => name === measurement.name || name === measurement.name.split('/')[0];

/** @param {Record<string, string>} overrides @param {readonly Measurement[]} chosen */
function faultOf(overrides, chosen) {
  for (const [key, value] of Object.entries(overrides)) {
    const without = chosen.find(({ conditions }) => !(key in conditions));
    if (without) return `${without.name} has no condition "${key}"; see --help.`;
    const numeric = chosen.some(({ conditions }) => typeof conditions[key] === 'number');
    if (numeric && (value === '' || Number.isNaN(Number(value))))
      return `--${key} takes a number, not "${value}".`;
  }
  return undefined;
}
