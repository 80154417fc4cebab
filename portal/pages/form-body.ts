import { TextDecoder } from 'node:util';
import type { Request } from 'express';
import { collectBody } from '#runtime/http/json-body.ts';
import { Problem } from '#runtime/problem.ts';

const mediaType = 'application/x-www-form-urlencoded';
/** Bytes; every form needs less than a quarter of it. */
const maxBytes = 16 * 1024;
const maxFields = 100;

/** The fields of a submitted form. Postgres stores no NUL, and no one types one. @throws {Problem} 400, 413 or 415 */
export const readForm = async (request: Request): Promise<URLSearchParams> => {
  const [type = ''] = (request.get('Content-Type') ?? '').toLowerCase().split(';');
  if (type.trim() !== mediaType) throw new Problem('UNSUPPORTED_MEDIA_TYPE');
  if ((request.get('Content-Encoding') ?? 'identity') !== 'identity')
    throw new Problem('UNSUPPORTED_MEDIA_TYPE');
  const form = new URLSearchParams(await readText(request));
  if (form.size > maxFields) throw new Problem('INVALID_REQUEST');
  for (const [name, value] of form)
    if (name.includes('\0') || value.includes('\0')) throw new Problem('INVALID_REQUEST');
  return form;
};

const readText = async (request: Request): Promise<string> => {
  if (Number(request.get('Content-Length') ?? 0) > maxBytes) throw new Problem('PAYLOAD_TOO_LARGE');
  const bytes = await collectBody(request, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Problem('INVALID_REQUEST', { cause: error });
  }
};
