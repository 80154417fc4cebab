import type { IncomingHttpHeaders } from 'node:http';
import { idempotencyKey } from '#contracts/kernel/http.ts';
import { Problem } from '#runtime/problem.ts';

/** Null: none was sent. @throws {Problem} IDEMPOTENCY_KEY_INVALID */
export const readIdempotencyKey = (headers: IncomingHttpHeaders): string | null => {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const { data } = idempotencyKey.safeParse(given);
  if (data === undefined) throw new Problem('IDEMPOTENCY_KEY_INVALID');
  return data;
};
