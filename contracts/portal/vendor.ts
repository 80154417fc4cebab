import * as z from 'zod';
import { plainLine } from '../kernel/plain-line.ts';
import { capExpiry } from '../license/licenses.ts';
import { mailAddress } from './mail-address.ts';

/** What the vendor may write about a license, on a page or on the command line. */

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower-case letters, digits, . _ -');

export const buyerEmailSchema = mailAddress();
export const tierSchema = name;
export const orderIdSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible ASCII characters');
export const buyerNameSchema = plainLine(120);
/** Why a license was suspended or revoked; the customer reads it. */
export const maxReason = 300;
export const reasonSchema = plainLine(maxReason);
export const countSchema = z.coerce
  .number<string>('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(100_000, 'must be at most 100000');

/** The features that the product knows by name; `*` means all, including later ones. */
export const knownFeatures = ['store', 'mods', 'discord'] as const;

/** Comma-separated names, or `*` for all. */
export const featuresSchema = z
  .string()
  .transform((text): readonly string[] =>
    text.trim() === '*' ? ['*'] : [...new Set(text.split(',').map((part) => part.trim()))],
  )
  .refine((features) => features[0] === '*' || features.every((part) => name.safeParse(part).success), {
    error: 'must be * or a list of names in lower-case letters, digits, . _ -',
  });

const dayMs = 86_400_000;

/** A moment in ISO 8601, or a date, which includes the whole day: until midnight UTC at its end, or a license's latest expiry. */
export const momentSchema = z
  .string()
  .refine(
    (text) =>
      z.iso.date().safeParse(text).success || z.iso.datetime({ offset: true }).safeParse(text).success,
    {
      error: 'must be YYYY-MM-DD or an ISO 8601 time',
    },
  )
  .transform((text) =>
    capExpiry(new Date(Date.parse(text) + (z.iso.date().safeParse(text).success ? dayMs : 0))),
  );
