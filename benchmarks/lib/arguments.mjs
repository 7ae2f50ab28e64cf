/** Arguments of the runner: names choose, `--key=value` overrides a parameter, `--quick` takes the short form. */

/** @typedef {import('./types').Measurement} Measurement */

/**
 * @param {readonly string[]} args
 * @param {readonly Measurement[]} measurements
 * @returns {{ fault: string } | { help: boolean, quick: boolean, chosen: Measurement[], overrides: Record<string, string> }}
 */
export function parseArguments(args, measurements) {
  /** @type {Record<string, string>} */
  const overrides = {};
  /** @type {string[]} */
  const names = [];
  const quick = args.includes('--quick');
  for (const arg of args) {
    const [, key, value] = arg.match(/^--([^=]+)=(.*)$/) ?? [];
    if (key !== undefined) overrides[key] = value ?? '';
    else if (arg === '--help' || arg === '-h') return { help: true, quick, chosen: [], overrides };
    else if (arg.startsWith('-') && arg !== '--quick')
      return { fault: `${arg} has no value: parameters are given as --name=value.` };
    else if (arg !== '--quick') names.push(arg);
  }
  const unknown = names.find((name) => !measurements.some((measurement) => fits(measurement, name)));
  if (unknown !== undefined) return { fault: `There is no measurement "${unknown}"; see --help.` };
  const chosen = measurements.filter((measurement) =>
    names.length === 0 ? !measurement.onDemand : names.some((name) => fits(measurement, name)),
  );
  const long = quick && chosen.find((measurement) => !measurement.quick);
  const fault = long ? `${long.name} has no short form.` : faultOf(overrides, chosen);
  return fault ? { fault } : { help: false, quick, chosen, overrides };
}

/** @param {Measurement} measurement @param {string} name */
function fits(measurement, name) {
  const [group, own] = measurement.name.split('/');
  return [measurement.name, group, own].includes(name);
}

/** @param {Record<string, string>} overrides @param {readonly Measurement[]} chosen */
function faultOf(overrides, chosen) {
  for (const [key, value] of Object.entries(overrides)) {
    // What only some of them heeded would be taken for a parameter of all.
    const without = chosen.find(({ parameters }) => !(key in parameters));
    if (without) return `${without.name} has no parameter "${key}"; see --help.`;
    const numeric = chosen.some(({ parameters }) => typeof parameters[key] === 'number');
    if (numeric && (value === '' || Number.isNaN(Number(value))))
      return `--${key} takes a number, not "${value}".`;
  }
  return undefined;
}
