import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { readRetryAfter } from '#runtime/http/retry-after.ts';
import { ModFileError } from '../mod-files.ts';
import { type DownloadContent, type DownloadStart, type OpenSource, PassingFault } from './download-fault.ts';
import type { FileRequests } from './file-request.ts';

/** A file at an address, continued by ranges where its server supports them. */
export const createAddressSource = (options: {
  readonly requests: FileRequests;
  readonly url: URL;
  /** Sent only to this address's host. */
  readonly key: string | null;
  /** Whether a hash verifies the finished file: then a download may continue although nothing says that the file is still the same. */
  readonly isProven: boolean;
  readonly userAgent: string;
  readonly idleMs: number;
}): OpenSource => {
  const { requests, url, key, isProven, userAgent, idleMs } = options;
  let takesRanges = true;

  return async ({ offset, validator, total }, signal) => {
    const isResumed = offset > 0 && takesRanges && (validator !== null || isProven);
    const answer = await requests.get({
      url,
      headers: {
        'User-Agent': userAgent,
        Accept: '*/*',
        'Accept-Encoding': 'identity',
        ...(isResumed ? { Range: `bytes=${offset}-` } : {}),
        ...(isResumed && validator !== null ? { 'If-Range': validator } : {}),
      },
      secretHeaders: key === null ? {} : { 'x-api-key': key },
      idleMs,
      signal,
    });
    try {
      if (answer.statusCode === 200) return whole(answer, signal);
      if (answer.statusCode === 206 && isResumed) {
        const rest = restOf(answer, { offset, validator, total }, isProven, signal);
        if (rest) return rest;
      }
      if (answer.statusCode !== 206 && answer.statusCode !== 416)
        throw await refusalOf(answer, url, key, idleMs);
      // A range that does not match the bytes on disk: the whole file is requested.
      takesRanges = false;
      throw new PassingFault('away', `${url.host} answers with a part that was not asked for.`, {
        waitMs: 0,
      });
    } catch (error) {
      answer.destroy();
      throw error;
    }
  };
};

const whole = (answer: IncomingMessage, signal: AbortSignal): DownloadContent => {
  const encoding = encodingOf(answer);
  if (encoding === 'identity')
    return {
      offset: 0,
      validator: validatorOf(answer),
      total: numberOf(answer.headers['content-length']),
      isEndProven: isEndProven(answer),
      bytes: readAll(answer, answer, signal),
    };
  const decoder =
    encoding === 'br'
      ? createBrotliDecompress()
      : /^(x-)?gzip$|^deflate$/.test(encoding)
        ? createUnzip()
        : null;
  if (!decoder) throw new ModFileError('gone', `It is sent in the encoding ${encoding}, which is not known.`);
  answer.on('error', (error) => decoder.destroy(error));
  // Ranges and lengths count encoded bytes.
  return {
    offset: 0,
    validator: null,
    total: null,
    isEndProven: isEndProven(answer),
    bytes: readAll(answer, answer.pipe(decoder), signal),
  };
};

/** Null: it does not continue the bytes on disk. */
const restOf = (
  answer: IncomingMessage,
  { offset, validator, total }: DownloadStart,
  isProven: boolean,
  signal: AbortSignal,
): DownloadContent | null => {
  const [, first, said] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.headers['content-range'] ?? '') ?? [];
  const whole = numberOf(said);
  if (Number(first) !== offset || encodingOf(answer) !== 'identity') return null;
  if (total !== null && whole !== null && whole !== total) return null;
  // Some servers ignore If-Range. Without a hash, only this shows that both parts belong to one file.
  const { etag, 'last-modified': modified } = answer.headers;
  const now = validator?.startsWith('"') ? etag : modified;
  if (now === undefined ? !isProven : validator !== null && now !== validator) return null;
  return {
    offset,
    validator,
    total: whole ?? total,
    isEndProven: isEndProven(answer),
    bytes: readAll(answer, answer, signal),
  };
};

async function* readAll(
  answer: IncomingMessage,
  bytes: Readable,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of bytes) yield chunk as Buffer;
    if (!answer.complete) throw new Error('it ended too early');
  } catch (cause) {
    if (signal.aborted) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new PassingFault('away', `The connection was lost: ${code ?? message}.`, { cause });
  } finally {
    answer.destroy();
  }
}

/** With neither a length nor chunks, the file ends where the connection ends. */
const isEndProven = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const encodingOf = ({ headers }: IncomingMessage): string =>
  headers['content-encoding']?.trim().toLowerCase() || 'identity';

/** A weak ETag proves nothing about bytes. */
const validatorOf = ({ headers }: IncomingMessage): string | null =>
  headers.etag?.startsWith('"') ? headers.etag : (headers['last-modified'] ?? null);

const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

const mostReasonBytes = 4096;

const refusalOf = async (
  answer: IncomingMessage,
  { host }: URL,
  key: string | null,
  idleMs: number,
): Promise<Error> => {
  const { statusCode: status = 0 } = answer;
  const { 'retry-after': retryAfter, date } = answer.headers;
  const waitMs = readRetryAfter(retryAfter, Date.now(), date);
  // CurseForge answers too many requests like this, with a status that otherwise means a wrong key.
  const isThrottled = status === 403 && /too much traffic/i.test(await beginningOf(answer, idleMs));
  if (status === 429 || status === 503 || isThrottled)
    return new PassingFault('limited', `${host} asks to wait (status ${status}).`, { waitMs });
  if (status === 408 || status === 425 || status >= 500)
    return new PassingFault('away', `${host} fails with status ${status}.`, { waitMs });
  if ((status === 401 || status === 403) && key !== null)
    return new ModFileError('key', `${host} does not take the API key (status ${status}).`);
  if (status === 404 || status === 410)
    return new ModFileError('gone', `${host} no longer has the file (status ${status}).`);
  return new ModFileError('gone', `${host} does not give the file (status ${status}).`);
};

const beginningOf = async (answer: IncomingMessage, withinMs: number): Promise<string> => {
  let text = '';
  const late = setTimeout(() => answer.destroy(), withinMs);
  try {
    for await (const chunk of answer) {
      text += (chunk as Buffer).toString('latin1');
      if (text.length >= mostReasonBytes) break;
    }
  } catch {
    // The status has arrived; the body would only repeat the reason.
  } finally {
    clearTimeout(late);
  }
  return text.slice(0, mostReasonBytes);
};
