/** Contents by path. */
export type Files = Record<string, string>;

export function goPackage(): Files;
export function javaPackage(): Files;
export function pythonPackage(): Files;
/** The content of the wheel. */
export function pythonWheel(): Files;
export function typescriptPackage(): Promise<Files>;
