/** ISO 8601 in UTC; undefined for what is no time. */
export const asInstant = (value: string | undefined): string | undefined => {
  const ms = Date.parse(value ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

/** The span of time in an address, whatever somebody has typed there. */
export const rangeIn = (values: Readonly<Record<string, string>>) => {
  const from = asInstant(values.from);
  const to = asInstant(values.to);
  return { ...(from && { from }), ...(to && { to }) };
};
