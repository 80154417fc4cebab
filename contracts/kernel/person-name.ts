import * as z from 'zod';
import { mixesScripts } from './mixed-scripts.ts';

/** No control, private or unassigned characters, and none that change the text direction. */
const namePattern = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200c\u200d]+$/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A name in any script; each word in one script. */
export const personName = z
  .string()
  .normalize('NFC')
  .trim()
  .refine((text) => namePattern.test(text) && visible.test(text), {
    error: 'must be a name in letters, digits and signs',
  })
  .refine((text) => !mixesScripts(text), { error: 'must not mix letters of different scripts in one word' })
  .refine((text) => [...text].length <= 64, { error: 'must have at most 64 characters' });

/** OWASP and NIST recommend length, and no rules for the characters. */
export const newPassword = z
  .string()
  .min(10, 'must have at least 10 characters')
  .max(256, 'must have at most 256 characters');
