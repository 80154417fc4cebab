/**
 * A Retry-After as milliseconds from now, at least 0; null when there is no usable one. Any server can demand any wait, or have
 * a clock that is wrong: the caller limits it. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 * @param sent the answer's own Date, with which a date is compared instead of this machine's clock
 */
export const readRetryAfter = (
  header: string | null | undefined,
  nowMs: number,
  sent = '',
): number | null => {
  const text = header?.trim() ?? '';
  // The standard has whole seconds only; fractions are in use.
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  // A date begins with the name of its day; JavaScript parses many other texts as dates, such as `-5`.
  const untilMs = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(untilMs)) return null;
  const sentMs = Date.parse(sent);
  return Math.max(0, untilMs - (Number.isNaN(sentMs) ? nowMs : sentMs));
};
