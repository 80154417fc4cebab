import { parseLicenseKey } from '#contracts/license-key.ts';
import { hwidSchema, tenantIdSchema } from '#contracts/licenses.ts';

/** What somebody typed into the search, as what it is. */
export type LicenseQuery =
  | { readonly by: 'nothing' }
  /** Of a license, or of a customer. */
  | { readonly by: 'id'; readonly value: string }
  | { readonly by: 'key'; readonly value: string }
  /** It was meant to be a key, but its check character does not fit. */
  | { readonly by: 'mistyped-key' }
  | { readonly by: 'hwid'; readonly value: string }
  /** The buyer's or the customer's, in lower case. */
  | { readonly by: 'email'; readonly value: string }
  | { readonly by: 'order'; readonly value: string };

/** @param typed whatever it is: key, id, HWID, e-mail address or order id */
export const readLicenseQuery = (typed: string): LicenseQuery => {
  const value = typed.trim();
  if (value === '') return { by: 'nothing' };
  const key = parseLicenseKey(value);
  if (key !== null) return { by: 'key', value: key };
  if (/^c[s5]t[l1i]-/i.test(value)) return { by: 'mistyped-key' };
  const hwid = hwidSchema.safeParse(value);
  if (hwid.success) return { by: 'hwid', value: hwid.data };
  if (tenantIdSchema.safeParse(value).success) return { by: 'id', value };
  if (value.includes('@')) return { by: 'email', value: value.toLowerCase() };
  return { by: 'order', value };
};
