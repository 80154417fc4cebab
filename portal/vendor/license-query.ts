import { parseLicenseKey } from '#contracts/license/license-key.ts';
import { hwidSchema, tenantIdSchema } from '#contracts/license/licenses.ts';

/** The search text, recognized as one of these. */
export type LicenseQuery =
  | { readonly by: 'nothing' }
  /** Of a license, or of a customer. */
  | { readonly by: 'id'; readonly value: string }
  | { readonly by: 'key'; readonly value: string }
  /** It looks like a key, but its check character is wrong. */
  | { readonly by: 'mistyped-key' }
  | { readonly by: 'hwid'; readonly value: string }
  /** Parts of address, name, order or end of the key, in lower case; all of them must occur. */
  | { readonly by: 'parts'; readonly parts: readonly string[] };

/** As in mails and on pages, with stars or dots for hidden characters. */
const maskedKey = /^CSTL[-‐-―](?:[*•…]+[-‐-―])*([0-9A-Z]{4})$/i;
/** More would only make the search slower. */
const maxParts = 6;

/** @param typed a key, id, HWID, or parts of address, name, order or end of the key */
export const readLicenseQuery = (typed: string): LicenseQuery => {
  const value = typed.trim();
  if (value === '') return { by: 'nothing' };
  const key = parseLicenseKey(value);
  if (key !== null) return { by: 'key', value: key };
  const [, tail] = maskedKey.exec(value) ?? [];
  if (tail !== undefined) return { by: 'parts', parts: [tail.toLowerCase()] };
  if (/^c[s5]t[l1i][^\da-z]/i.test(value.normalize('NFKC'))) return { by: 'mistyped-key' };
  const hwid = hwidSchema.safeParse(value);
  if (hwid.success) return { by: 'hwid', value: hwid.data };
  if (tenantIdSchema.safeParse(value).success) return { by: 'id', value };
  return { by: 'parts', parts: value.toLowerCase().split(/\s+/).slice(0, maxParts) };
};
