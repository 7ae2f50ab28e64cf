/** Just enough of PromQL's words to see which metrics an expression reads, and which labels it asks of them. */

const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'Inf']);

export interface Selector {
  readonly metric: string;
  /** Names of the labels in its braces. */
  readonly labels: readonly string[];
}

export function selectorsIn(expr: string): Selector[] {
  const bare = expr
    .replace(/\$__rate_interval/g, '5m')
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/(?<![\w:])\d[\w.]*/g, ' ');
  return [...bare.matchAll(/([a-zA-Z_:][\w:]*)(?:\{([^}]*)\})?(?!\s*\(|[\w:])/g)]
    .filter(([, name = '']) => !KEYWORDS.has(name))
    .map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
    }));
}
