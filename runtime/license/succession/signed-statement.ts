import type { KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import type * as z from 'zod';

export interface StatementKind<Claims> {
  readonly typ: string;
  readonly schema: z.ZodType<Claims>;
}

/** The `kid` of the claimed signer; null when the text is not a statement of this kind at all. */
export const claimedSigner = (statement: string, typ: string): string | null => {
  try {
    const header = decodeProtectedHeader(statement);
    return header.typ === typ && typeof header.kid === 'string' ? header.kid : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

/** The claims of a statement, if `key` signed it and they have the shape of its kind; else null. */
export const readStatement = async <Claims>(
  statement: string,
  key: KeyObject,
  { typ, schema }: StatementKind<Claims>,
): Promise<Claims | null> => {
  try {
    const { payload, protectedHeader } = await compactVerify(statement, key, { algorithms: ['EdDSA'] });
    if (protectedHeader.typ !== typ) return null;
    return schema.safeParse(JSON.parse(new TextDecoder().decode(payload))).data ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
      return null;
    throw error;
  }
};
