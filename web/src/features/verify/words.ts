/** The words of the page. */
import words from '../../../content/verify.json';
import type { View } from './machine';

export { words };

export const textOf = (texts: readonly { name: string; text: string }[], name: string) =>
  texts.find((entry) => entry.name === name)?.text ?? '';

/** A message's name is `at`, with a suffix if the view has several cases. */
export function messageName(view: View): string {
  switch (view.at) {
    case 'cameraProblem':
      return `cameraProblem.${view.problem}`;
    case 'paused':
    case 'blocked':
      return `${view.at}.${view.why}`;
    case 'retry':
      return `retry.${view.hint}`;
    case 'ended':
      return `ended.${view.status}`;
    default:
      return view.at;
  }
}
