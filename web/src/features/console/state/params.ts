/** The parts of the address after a colon, such as `:session`. */
export type Params = Readonly<Record<string, string>>;
