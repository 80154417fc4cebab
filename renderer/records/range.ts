/** As a field for date and time can hold it, which are also the years that the API takes. */
export const lastMinute = '9999-12-31T23:59';
const years = { first: 1, last: 9999 } as const;

/** ISO 8601 in UTC; undefined for what is no time that the API takes. */
export const asInstant = (value: string | undefined): string | undefined => {
  const date = new Date(value ?? '');
  const year = date.getUTCFullYear();
  return year >= years.first && year <= years.last ? date.toISOString() : undefined;
};

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/**
 * As a field for date and time shows it: local, to the minute. It gives back what was typed to the minute also in years
 * of other time zones than today's, which one passes through while typing a year.
 */
export const asLocal = (value: string | undefined): string => {
  const instant = asInstant(value);
  if (!instant) return '';
  const date = new Date(instant);
  const day = [padded(date.getFullYear(), 4), padded(date.getMonth() + 1, 2), padded(date.getDate(), 2)];
  return `${day.join('-')}T${padded(date.getHours(), 2)}:${padded(date.getMinutes(), 2)}`;
};

/** The span of time in an address, whatever somebody has typed there. */
export const rangeIn = (values: Readonly<Record<string, string>>) => {
  const from = asInstant(values.from);
  const to = asInstant(values.to);
  return { ...(from && { from }), ...(to && { to }) };
};
