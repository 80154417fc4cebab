/** The allowed values that the address names, separated by commas. */
export const selectedIn = <Value extends string>(
  text: string | undefined,
  allowed: readonly Value[],
): Value[] => {
  const wanted = new Set(text?.split(',') ?? []);
  return allowed.filter((value) => wanted.has(value));
};
