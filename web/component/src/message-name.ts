import type { View } from './machine';

/** A message's name is `at`, with a suffix if the view has several cases. */
export function messageName(view: View): string {
  switch (view.at) {
    case 'cameraProblem':
      return `cameraProblem.${view.problem}`;
    case 'askingCamera':
      return view.isOpen ? 'opening' : view.at;
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
