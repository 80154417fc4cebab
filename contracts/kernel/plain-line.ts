import * as z from 'zod';

/** Characters that break a line, change its text direction, or are invisible. */
const disturbing = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** One line of plain text for another person to read: characters that would disturb the lines around it become spaces. */
export const plainLine = (maxLength: number) =>
  z
    .string()
    .transform((text) => text.normalize('NFC').replace(disturbing, ' ').replace(/\s+/gu, ' ').trim())
    .refine((text) => visible.test(text), { error: 'must have something to read' })
    .refine((text) => [...text].length <= maxLength, { error: `must have at most ${maxLength} characters` });
