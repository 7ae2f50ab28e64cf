/** Reads the files of this folder for the tests. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findTool, KUSTOMIZE, PROMTOOL } from '../../../gateway/harness/setup/tools.mjs';

export const HERE = join(__dirname, '..');
export const RULES = join(HERE, 'rules');

export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface RuleTest {
  readonly name: string;
  readonly input_series: readonly { readonly series: string }[];
  readonly promql_expr_test: readonly {
    readonly expr: string;
    readonly exp_samples: readonly { readonly labels: string }[];
  }[];
}

const named = (ending: string) => readdirSync(RULES).filter((name) => name.endsWith(ending));
const read = (name: string) => parse(readFileSync(join(RULES, name), 'utf8'));

export const ruleFiles = named('.rules.yaml').map((file) => ({
  file,
  rules: (read(file).groups as { rules: Rule[] }[]).flatMap(({ rules }) => rules),
}));
export const testFiles = named('.test.yaml').map((file) => ({
  file,
  ...(read(file) as { rule_files: string[]; tests: RuleTest[] }),
}));

export const alerts = ruleFiles.flatMap(({ file, rules }) =>
  rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert, file }])),
);

/** Runs a program that `npm run test:slow` installs. @throws Error with its output when it fails */
export function runTool(tool: typeof PROMTOOL | typeof KUSTOMIZE, args: readonly string[]): string {
  const path = findTool(tool);
  if (path === undefined) throw new Error(`${tool.name} is missing; npm run test:slow installs it`);
  return execFileSync(path, args, { cwd: RULES, encoding: 'utf8', stdio: 'pipe' });
}

export { KUSTOMIZE, PROMTOOL };
