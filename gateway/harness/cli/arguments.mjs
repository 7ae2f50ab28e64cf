import { Stop } from './stop.mjs';

/**
 * Ends a command that takes no arguments if it gets some: `--help` would start its work.
 * @param {string} command such as `npm run build`
 * @param {readonly string[]} [args]
 * @throws {Stop}
 */
export function refuseArguments(command, args = process.argv.slice(2)) {
  if (args.length > 0) throw new Stop(`${command} takes no arguments (${args.join(' ')}).`);
}
