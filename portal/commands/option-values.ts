import { InvalidArgumentError } from 'commander';
import * as z from 'zod';

/** Takes the value when the schema does; else commander says what is wrong with it. */
const checked =
  <T>(schema: z.ZodType<T>) =>
  (text: string): T => {
    const result = schema.safeParse(text);
    if (result.success) return result.data;
    throw new InvalidArgumentError(result.error.issues.map((issue) => issue.message).join('; '));
  };

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower-case letters, digits, . _ -');

export const parseEmail = checked(z.email('must be an e-mail address').max(254));
export const parseTier = checked(name);
export const parsePurchaseId = checked(
  z.string().regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible ASCII characters'),
);
export const parseCount = checked(
  z.coerce.number<string>().int('must be a whole number').min(1).max(100_000),
);

export const parseFeatures = (text: string): readonly string[] =>
  text === '*' ? ['*'] : [...new Set(text.split(',').map((part) => checked(name)(part.trim())))];

const dayMs = 86_400_000;

/** A moment in ISO 8601, or a date, which is meant whole: until midnight UTC at its end. */
export const parseMoment = (text: string): Date => {
  if (z.iso.date().safeParse(text).success) return new Date(Date.parse(text) + dayMs);
  return new Date(
    checked(z.iso.datetime({ offset: true, error: 'must be YYYY-MM-DD or an ISO 8601 time' }))(text),
  );
};
